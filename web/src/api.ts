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
  empty: boolean;
  seconds: number;
  mean_influences: number;
  joints: number;
  warnings: Warning[];
}

export interface State {
  generation: number;
  file: string;
  warnings: Warning[];
  history: Entry[];
  position: number;
}

export interface Job {
  id: number;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  fraction: number;
  stage: string;
  version: number;
  error?: { message: string; advice: string };
}

export interface BindRequest {
  method: string;
  options: Record<string, boolean | number | string>;
  max_influences: number;
  joints: string;
  gesture?: string;
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
  has_materials: boolean;
  parts: Part[];
  joints: Joint[];
  motions: { name: string; frames_per_second: number; frames: number }[];
}

export interface Weights {
  id: number;
  influences: number;
  joints: Uint16Array;
  weights: Float32Array;
}

// The server refused, or a job failed.
export class Refusal extends Error {
  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message);
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
  const { error } = (await response.json()) as { error: { message: string; advice: string } };
  throw new Refusal(error.message, error.advice);
}

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await ask(path, init)).json()) as T;
}

const post = (body: BodyInit = ''): RequestInit => ({ method: 'POST', body });

type TypedArray = Float32Array | Uint32Array | Uint16Array;

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
export const open = async (file: File) =>
  (await json<{ job: number }>(`open?name=${encodeURIComponent(file.name)}`, post(file))).job;
export const cancel = (job: number) => json<{ cancelled: boolean }>(`cancel/${job}`, post());
export const heartbeat = () => json<Job>('job');
export const openedGlb = async () => (await ask('opened.glb')).arrayBuffer();
export const resultGlb = async () => (await ask('result.glb')).blob();
export const character = async () => new Packet<CharacterHeader>(await (await ask('character')).arrayBuffer());

export async function weights(id: number): Promise<Weights> {
  const packet = new Packet<{ id: number; influences: number }>(await (await ask(`weights/${id}`)).arrayBuffer());
  return {
    id: packet.header.id,
    influences: packet.header.influences,
    joints: packet.shorts('joints'),
    weights: packet.floats('weights'),
  };
}

// Waits until a job has ended; `report` hears how far it is. False when it was cancelled.
export async function finished(id: number, report: (job: Job) => void): Promise<boolean> {
  let job = await json<Job>('job');
  while (job.id === id && job.state === 'running') {
    report(job);
    job = await json<Job>(`job?after=${job.version}`);
  }
  if (job.state === 'failed') throw new Refusal(job.error?.message ?? 'it failed', job.error?.advice ?? '');
  return job.state === 'done';
}
