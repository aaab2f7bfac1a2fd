// The character on the stage: one set of bones, and the skins on them: with other weights, of another level of detail,
// or posed by the server.
import * as THREE from 'three';
import type { CharacterHeader, Joint, LevelHeader, Packet, Part, Weights } from './api';
import { type Rgb, jointPalette, paintCount, paintDominant, paintErrors, paintValue, paintWeight } from './colours';
import { type Materials, loadMaterials } from './materials';
import { Motion, applyTransforms, readTransforms } from './motion';
import { OverlayMaterial } from './overlay_material';
import { Surface } from './surface';

export type Look = 'materials' | 'weight' | 'dominant' | 'count' | 'stretch' | 'error';

// What every look needs to know.
export interface LookFacts {
  look: Look;
  joint: number;
  colours: Rgb[];
  fullError: number; // a length: this error has the last colour of the scale
}

// The first four slots of every vertex, which is what three.js skins with, normalised again. A vertex without weight
// goes to the last bone, which never moves.
function fillSkin(joints: Uint16Array, values: Float32Array, weights: Weights, fixedBone: number): void {
  const slots = Math.min(weights.influences, 4);
  joints.fill(0);
  values.fill(0);
  for (let v = 0; v < values.length / 4; ++v) {
    let sum = 0;
    for (let s = 0; s < slots; ++s) sum += weights.weights[v * weights.influences + s];
    if (sum <= 0) {
      joints[v * 4] = fixedBone;
      values[v * 4] = 1;
      continue;
    }
    for (let s = 0; s < slots; ++s) {
      joints[v * 4 + s] = weights.joints[v * weights.influences + s];
      values[v * 4 + s] = weights.weights[v * weights.influences + s] / sum;
    }
  }
}

function shapeOf(packet: Packet<{ parts: Part[] }>): THREE.BufferGeometry {
  const shape = new THREE.BufferGeometry();
  const set = (name: string, array: Float32Array, size: number) =>
    shape.setAttribute(name, new THREE.BufferAttribute(array, size));
  set('position', packet.floats('positions'), 3);
  set('normal', packet.floats('normals'), 3);
  if (packet.has('uvs')) set('uv', packet.floats('uvs'), 2);
  if (packet.has('colors')) set('color', packet.floats('colors'), 4);
  shape.setAttribute('rest', shape.attributes.position);
  shape.setIndex(new THREE.BufferAttribute(packet.longs('triangles'), 1));
  packet.header.parts.forEach((part, index) => shape.addGroup(part.first_triangle * 3, part.triangle_count * 3, index));
  return shape;
}

// Shares the attributes of `shape`, so that they lie on the graphics card once.
function copyOf(shape: THREE.BufferGeometry): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  for (const [name, attribute] of Object.entries(shape.attributes)) geometry.setAttribute(name, attribute);
  geometry.setIndex(shape.index);
  for (const group of shape.groups) geometry.addGroup(group.start, group.count, group.materialIndex);
  return geometry;
}

// A surface that can be shown in every look.
export abstract class Skin {
  abstract readonly mesh: THREE.Mesh;
  errors: Float32Array | null = null; // per vertex, against the truth
  protected readonly geometry: THREE.BufferGeometry;
  private readonly overlay = new OverlayMaterial();
  private readonly paint: THREE.BufferAttribute;

  constructor(
    shape: THREE.BufferGeometry,
    protected readonly materials: THREE.Material[],
    protected weights: Weights,
  ) {
    this.geometry = copyOf(shape);
    this.paint = new THREE.BufferAttribute(new Uint8Array(shape.attributes.position.count * 3), 3, true);
    this.geometry.setAttribute('paint', this.paint);
  }

  show({ look, joint, colours, fullError }: LookFacts): void {
    this.mesh.material = look === 'materials' ? this.materials : this.overlay;
    this.overlay.stretch = look === 'stretch';
    const out = this.paint.array as Uint8Array;
    if (look === 'weight') paintWeight(out, this.weights, joint);
    if (look === 'dominant') paintDominant(out, this.weights, colours);
    if (look === 'count') paintCount(out, this.weights);
    if (look === 'error') paintErrors(out, this.errors, fullError);
    this.paint.needsUpdate = true;
  }

  // The colour of a weight at some vertices, before the server has answered.
  preview(vertices: ArrayLike<number>, value: (index: number) => number): void {
    const out = this.paint.array as Uint8Array;
    for (let i = 0; i < vertices.length; ++i) paintValue(out, vertices[i] * 3, value(i));
    this.paint.needsUpdate = true;
  }

  weightOf(vertex: number, joint: number): number {
    const { influences, joints, weights } = this.weights;
    let sum = 0;
    for (let slot = vertex * influences; slot < (vertex + 1) * influences; ++slot) {
      if (joints[slot] === joint) sum += weights[slot];
    }
    return sum;
  }

  dispose(): void {
    this.geometry.dispose();
    this.overlay.dispose();
  }
}

// Moved by the bones, on the graphics card.
export class BoundSkin extends Skin {
  readonly mesh: THREE.SkinnedMesh;
  private readonly skinJoints: THREE.BufferAttribute;
  private readonly skinWeights: THREE.BufferAttribute;
  private readonly fixedBone: number;

  constructor(shape: THREE.BufferGeometry, skeleton: THREE.Skeleton, materials: THREE.Material[], weights: Weights) {
    super(shape, materials, weights);
    const { count } = shape.attributes.position;
    this.skinJoints = new THREE.BufferAttribute(new Uint16Array(count * 4), 4);
    this.skinWeights = new THREE.BufferAttribute(new Float32Array(count * 4), 4);
    this.geometry.setAttribute('skinIndex', this.skinJoints);
    this.geometry.setAttribute('skinWeight', this.skinWeights);
    this.mesh = new THREE.SkinnedMesh(this.geometry, materials);
    // Bounds of a moving skin would have to be found again every frame.
    this.mesh.frustumCulled = false;
    this.fixedBone = skeleton.bones.length - 1;
    this.setWeights(weights);
    this.mesh.bind(skeleton, new THREE.Matrix4());
  }

  get pins(): Uint32Array {
    return this.weights.pins;
  }

  setWeights(weights: Weights): void {
    this.weights = weights;
    fillSkin(this.skinJoints.array as Uint16Array, this.skinWeights.array as Float32Array, weights, this.fixedBone);
    this.skinJoints.needsUpdate = true;
    this.skinWeights.needsUpdate = true;
  }

  // Where a vertex is in the present pose.
  posed(vertex: number, out: THREE.Vector3): THREE.Vector3 {
    out.fromBufferAttribute(this.geometry.attributes.position, vertex);
    return this.mesh.applyBoneTransform(vertex, out) as THREE.Vector3;
  }
}

// Posed by the server, vertex by vertex: with correctives.
export class PosedSkin extends Skin {
  readonly mesh: THREE.Mesh;
  private readonly places: THREE.BufferAttribute;
  private readonly normals: THREE.BufferAttribute;

  constructor(shape: THREE.BufferGeometry, materials: THREE.Material[], weights: Weights) {
    super(shape, materials, weights);
    const copy = (name: string) => new THREE.BufferAttribute((shape.attributes[name].array as Float32Array).slice(), 3);
    this.places = copy('position');
    this.normals = copy('normal');
    this.geometry.setAttribute('position', this.places);
    this.geometry.setAttribute('normal', this.normals);
    this.mesh = new THREE.Mesh(this.geometry, materials);
    this.mesh.frustumCulled = false;
  }

  pose(places: Float32Array, normals: Float32Array): void {
    (this.places.array as Float32Array).set(places);
    (this.normals.array as Float32Array).set(normals);
    this.places.needsUpdate = true;
    this.normals.needsUpdate = true;
  }
}

export class Figure {
  readonly joints: Joint[];
  readonly colours: Rgb[];
  readonly bones: THREE.Bone[];
  readonly motions: Motion[];
  readonly bounds = new THREE.Sphere();
  readonly header: CharacterHeader;
  readonly before: Float32Array | null; // places of the joints before the skeleton was fitted
  readonly root = new THREE.Group();
  private readonly skeleton: THREE.Skeleton;
  private readonly rest: Float32Array;
  private readonly shape: THREE.BufferGeometry;
  private readonly skins = new Set<Skin>();
  private surfaceMade: Surface | null = null;

  private constructor(
    packet: Packet<CharacterHeader>,
    private readonly materials: Materials,
  ) {
    const { root } = this;
    this.header = packet.header;
    this.joints = packet.header.joints;
    this.colours = jointPalette(this.joints);
    this.rest = packet.floats('rest');
    this.before = packet.has('before') ? packet.floats('before') : null;
    this.motions = packet.header.motions.map((motion, index) => new Motion(motion, packet.floats(`motion${index}`)));
    this.bones = this.joints.map((joint) => Object.assign(new THREE.Bone(), { name: joint.name }));
    this.joints.forEach((joint, index) => (joint.parent < 0 ? root : this.bones[joint.parent]).add(this.bones[index]));
    const fixed = new THREE.Bone();
    root.add(fixed);
    const inverseBind = packet.floats('inverse_bind');
    const inverses = this.joints.map((_, index) => new THREE.Matrix4().fromArray(inverseBind, index * 16));
    this.skeleton = new THREE.Skeleton([...this.bones, fixed], [...inverses, new THREE.Matrix4()]);
    this.shape = shapeOf(packet);
    this.shape.computeBoundingSphere();
    if (this.shape.boundingSphere) this.bounds.copy(this.shape.boundingSphere);
    this.resetPose();
  }

  // Materials and textures are read from the file itself, the rest from the packet.
  static async make(packet: Packet<CharacterHeader>, glb: ArrayBuffer | null): Promise<Figure> {
    return new Figure(packet, await loadMaterials(packet.has('colors'), glb));
  }

  get skinList(): ReadonlySet<Skin> {
    return this.skins;
  }

  get surface(): Surface {
    const { position } = this.shape.attributes;
    this.surfaceMade ??= new Surface(position.array as Float32Array, this.shape.index?.array as Uint32Array);
    return this.surfaceMade;
  }

  addSkin(weights: Weights): BoundSkin {
    return this.keep(new BoundSkin(this.shape, this.skeleton, this.materialsOf(this.header.parts), weights));
  }

  addPosedSkin(weights: Weights): PosedSkin {
    return this.keep(new PosedSkin(this.shape, this.materialsOf(this.header.parts), weights));
  }

  addLevel(packet: Packet<LevelHeader>): BoundSkin {
    const weights = {
      id: -1,
      influences: packet.header.influences,
      joints: packet.shorts('joints'),
      weights: packet.floats('weights'),
      pins: new Uint32Array(),
    };
    return this.keep(new BoundSkin(shapeOf(packet), this.skeleton, this.materialsOf(packet.header.parts), weights));
  }

  removeSkin(skin: Skin): void {
    this.root.remove(skin.mesh);
    this.skins.delete(skin);
    skin.dispose();
  }

  resetPose(): void {
    applyTransforms(this.bones, this.rest, 0, this.rest, 0, 0);
  }

  // Ten numbers per joint, as in a motion.
  poseNumbers(): Float32Array {
    return readTransforms(this.bones);
  }

  dispose(): void {
    for (const skin of this.skins) this.removeSkin(skin);
    this.shape.dispose();
    this.skeleton.dispose();
    this.materials.dispose();
  }

  private materialsOf(parts: Part[]): THREE.Material[] {
    return parts.map(({ material }) => this.materials.find(material));
  }

  private keep<Kind extends Skin>(skin: Kind): Kind {
    this.root.add(skin.mesh);
    this.skins.add(skin);
    return skin;
  }
}
