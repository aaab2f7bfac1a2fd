// The server's requests and answers (docs/formats/viewer-protocol.md). Addresses are relative: the page lives behind
// the token.

export interface MethodOption {
  name: string;
  help: string;
  type: 'switch' | 'whole' | 'number' | 'choice';
  default: boolean | number | string;
  minimum?: number;
  maximum?: number;
  choices?: string[];
  live?: { minimum: number; maximum: number };
}

export interface Method {
  name: string;
  summary: string;
  options: MethodOption[];
}

export interface Warning {
  code: string;
  message: string;
}

export interface Entry {
  id: number;
  label: string;
  method: string;
  options: Record<string, boolean | number | string>;
  max_influences: number;
  joints: string;
  generation: number;
  rig: number;
  empty: boolean;
  pins: number;
  field: boolean;
  seconds: number;
  mean_influences: number;
  warnings: Warning[];
}

export interface Level {
  vertices: number;
  triangles: number;
}

export interface State {
  file: string;
  warnings: Warning[];
  history: Entry[];
  position: number;
  correctives: { name: string; levels: number; networks: number; bytes: number } | null;
  truth: { frames: number } | null;
  levels: Level[];
}

// An error as the server tells it.
export interface ErrorAnswer {
  code: string;
  kind: string;
  message: string;
  advice: string;
}

export interface Job {
  id: number;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  fraction: number;
  stage: string;
  version: number;
  error?: ErrorAnswer; // when it failed
}

export interface BindRequest {
  method: string;
  options: Record<string, boolean | number | string>;
  max_influences: number;
  joints: string;
  gesture?: string;
}

export interface HeldJoint {
  joint: number;
  position: [number, number, number];
}

export interface FitRequest {
  skeleton: 'present' | 'adult' | 'quadruped';
  symmetric: boolean;
  held: HeldJoint[];
}

// How far each touched vertex moves towards a weight of `target` for `joint`, counted from before the stroke.
export interface Stroke {
  joint: number;
  target: number;
  vertices: Uint32Array;
  amounts: Float32Array;
}

// How much of the weights follows a stroke: nothing (the server only gets ready), what is near, or everything.
export type PaintAnswer = 'none' | 'near' | 'all';

export interface PaintRequest {
  gesture: string;
  answer: PaintAnswer;
  strokes: Stroke[];
  free?: Uint32Array;
  freeAll?: boolean;
}

export interface ErrorFacts {
  mean: number;
  largest: number;
}

// What the server makes of a pose.
export interface PoseHeader {
  correctives_ms?: number;
  posing_ms?: number;
  plain_error?: ErrorFacts;
  corrected_error?: ErrorFacts;
}

export interface Part {
  name: string;
  material: string;
  first_triangle: number;
  triangle_count: number;
}

export interface Joint {
  name: string;
  parent: number;
  kind: 'joint' | 'end' | 'helper';
}

export interface CharacterHeader {
  name: string;
  vertices: number;
  generation: number;
  rig: number;
  has_materials: boolean;
  mirror: { joints: number[]; normal: [number, number, number]; offset: number };
  fitted?: { confidence: number[]; held: HeldJoint[] };
  parts: Part[];
  joints: Joint[];
  motions: { name: string; frames_per_second: number; frames: number }[];
}

export interface Weights {
  id: number;
  influences: number;
  joints: Uint16Array;
  weights: Float32Array;
  pins: Uint32Array;
}

export interface LevelHeader {
  level: number;
  vertices: number;
  influences: number;
  parts: Part[];
}

// The server refused, or a job failed.
export class Refusal extends Error {
  readonly code: string; // stable: docs/errors.md
  readonly advice: string;

  constructor(error: ErrorAnswer) {
    super(error.message);
    this.code = error.code;
    this.advice = error.advice;
  }
}

// There is no server any more.
export class ServerGone extends Error {}

async function ask(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`api/${path}`, init);
  } catch {
    throw new ServerGone('the server has stopped');
  }
  if (response.ok) return response;
  const { error } = (await response.json()) as { error: ErrorAnswer };
  throw new Refusal(error);
}

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await ask(path, init)).json()) as T;
}

const post = (body: BodyInit = ''): RequestInit => ({ method: 'POST', body });

type TypedArray = Float32Array | Uint32Array | Uint16Array;

// The bytes of a packet.
export function packetBytes(header: object, arrays: Record<string, TypedArray>): Blob {
  const places: Record<string, { type: string; offset: number; bytes: number }> = {};
  const pieces: BlobPart[] = [];
  let offset = 0;
  for (const [name, array] of Object.entries(arrays)) {
    const type = array instanceof Float32Array ? 'f32' : array instanceof Uint32Array ? 'u32' : 'u16';
    const padding = (8 - (array.byteLength % 8)) % 8;
    places[name] = { type, offset, bytes: array.byteLength };
    pieces.push(array, new Uint8Array(padding));
    offset += array.byteLength + padding;
  }
  const text = new TextEncoder().encode(JSON.stringify({ ...header, arrays: places }));
  const length = Math.ceil(text.length / 8) * 8;
  const head = new Uint8Array(8 + length).fill(0x20, 8);
  const view = new DataView(head.buffer);
  view.setUint32(0, 0x53494e57);
  view.setUint32(4, length, true);
  head.set(text, 8);
  return new Blob([head, ...pieces]);
}

// A packet's header and its arrays, which are views of the received bytes.
export class Packet<Header> {
  readonly header: Header & { arrays: Record<string, { type: string; offset: number; bytes: number }> };
  private readonly start: number;

  constructor(private readonly buffer: ArrayBuffer) {
    const view = new DataView(buffer);
    if (view.getUint32(0) !== 0x53494e57) throw new Error('not a packet');
    const length = view.getUint32(4, true);
    this.start = 8 + length;
    this.header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  }

  has(name: string): boolean {
    return name in this.header.arrays;
  }

  floats = (name: string): Float32Array => this.array(name, 'f32', Float32Array) as Float32Array;
  longs = (name: string): Uint32Array => this.array(name, 'u32', Uint32Array) as Uint32Array;
  shorts = (name: string): Uint16Array => this.array(name, 'u16', Uint16Array) as Uint16Array;

  private array(
    name: string,
    type: string,
    Kind: (new (buffer: ArrayBuffer, offset: number, length: number) => TypedArray) & { BYTES_PER_ELEMENT: number },
  ): TypedArray {
    const place = this.header.arrays[name];
    if (place?.type !== type) throw new Error(`the packet holds no ${type} array '${name}'`);
    return new Kind(this.buffer, this.start + place.offset, place.bytes / Kind.BYTES_PER_ELEMENT);
  }
}

export const methods = () => json<Method[]>('methods');
export const state = () => json<State>('state');
export const undo = () => json<State>('undo', post());
export const redo = () => json<State>('redo', post());
export const bind = async (request: BindRequest) => (await json<{ job: number }>('bind', post(JSON.stringify(request)))).job;
export const open = async (file: File, takeSkeleton: boolean) =>
  (
    await json<{ job: number }>(
      `open?name=${encodeURIComponent(file.name)}${takeSkeleton ? '&take=skeleton' : ''}`,
      post(file),
    )
  ).job;
export const fit = async (request: FitRequest) => (await json<{ job: number }>('fit', post(JSON.stringify(request)))).job;
export const makeLevels = async () => (await json<{ job: number }>('levels', post())).job;
export const cancel = (job: number) => json<{ cancelled: boolean }>(`cancel/${job}`, post());
export const heartbeat = () => json<Job>('job');
export const openedGlb = async () => (await ask('opened.glb')).arrayBuffer();
export const pinsFile = async () => (await ask('result.pins.json')).blob();
export const fieldFile = async () => (await ask('result.skincells')).blob();
export const resultGlb = async () => (await ask('result.glb')).blob();
export const character = async () => new Packet<CharacterHeader>(await (await ask('character')).arrayBuffer());

export async function weights(id: number): Promise<Weights> {
  const packet = new Packet<{ id: number; influences: number }>(await (await ask(`weights/${id}`)).arrayBuffer());
  return {
    id: packet.header.id,
    influences: packet.header.influences,
    joints: packet.shorts('joints'),
    weights: packet.floats('weights'),
    pins: packet.longs('pins'),
  };
}

export const level = async (index: number) =>
  new Packet<LevelHeader>(await (await ask(`level/${index}`)).arrayBuffer());

export async function paint({ gesture, answer, strokes, free, freeAll }: PaintRequest): Promise<number> {
  const arrays: Record<string, TypedArray> = {};
  strokes.forEach(({ vertices, amounts }, index) => {
    arrays[`vertices${index}`] = vertices;
    arrays[`amounts${index}`] = amounts;
  });
  if (free) arrays.free = free;
  const header = { gesture, answer, strokes: strokes.map(({ joint, target }) => ({ joint, target })), free_all: freeAll ?? false };
  return (await json<{ job: number }>('paint', post(packetBytes(header, arrays)))).job;
}

// Ten numbers per joint, as in a motion; `truth` is a frame of the truth to measure against.
export async function pose(numbers: Float32Array, truth: number | null): Promise<Packet<PoseHeader>> {
  const body = packetBytes({ truth }, { pose: numbers });
  return new Packet<PoseHeader>(await (await ask('pose', post(body))).arrayBuffer());
}

export const truth = async () =>
  new Packet<{ frames: { motion: string; frame: number }[] }>(await (await ask('truth')).arrayBuffer());

// Waits until a job has ended; `report` hears how far it is. False when it was cancelled.
export async function finished(id: number, report: (job: Job) => void): Promise<boolean> {
  let job = await json<Job>('job');
  while (job.id === id && job.state === 'running') {
    report(job);
    job = await json<Job>(`job?after=${job.version}`);
  }
  if (job.state === 'failed' && job.error) throw new Refusal(job.error);
  return job.state === 'done';
}
