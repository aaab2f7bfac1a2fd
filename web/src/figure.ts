// The character on the stage: one set of bones, and one or two skins on them that differ only in their weights.
import * as THREE from 'three';
import type { CharacterHeader, Joint, Packet, Weights } from './api';
import { type Rgb, jointPalette, paintCount, paintDominant, paintWeight } from './colours';
import { loadMaterials } from './materials';
import { Motion, applyTransforms } from './motion';
import { OverlayMaterial } from './overlay_material';

export type Look = 'materials' | 'weight' | 'dominant' | 'count' | 'stretch';

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

export class Skin {
  readonly mesh: THREE.SkinnedMesh;
  private readonly overlay = new OverlayMaterial();
  private readonly paint: THREE.BufferAttribute;
  private readonly skinJoints: THREE.BufferAttribute;
  private readonly skinWeights: THREE.BufferAttribute;
  private weights: Weights;

  constructor(
    shape: THREE.BufferGeometry,
    skeleton: THREE.Skeleton,
    private readonly materials: THREE.Material[],
    weights: Weights,
  ) {
    const geometry = new THREE.BufferGeometry();
    for (const [name, attribute] of Object.entries(shape.attributes)) geometry.setAttribute(name, attribute);
    geometry.setIndex(shape.index);
    for (const group of shape.groups) geometry.addGroup(group.start, group.count, group.materialIndex);
    const { count } = shape.attributes.position;
    this.paint = new THREE.BufferAttribute(new Uint8Array(count * 3), 3, true);
    this.skinJoints = new THREE.BufferAttribute(new Uint16Array(count * 4), 4);
    this.skinWeights = new THREE.BufferAttribute(new Float32Array(count * 4), 4);
    geometry.setAttribute('paint', this.paint);
    geometry.setAttribute('skinIndex', this.skinJoints);
    geometry.setAttribute('skinWeight', this.skinWeights);
    this.mesh = new THREE.SkinnedMesh(geometry, materials);
    // Bounds of a moving skin would have to be found again every frame.
    this.mesh.frustumCulled = false;
    this.weights = weights;
    this.setWeights(weights, skeleton.bones.length - 1);
    this.mesh.bind(skeleton, new THREE.Matrix4());
  }

  setWeights(weights: Weights, fixedBone: number): void {
    this.weights = weights;
    fillSkin(this.skinJoints.array as Uint16Array, this.skinWeights.array as Float32Array, weights, fixedBone);
    this.skinJoints.needsUpdate = true;
    this.skinWeights.needsUpdate = true;
  }

  show(look: Look, joint: number, colours: Rgb[]): void {
    this.mesh.material = look === 'materials' ? this.materials : this.overlay;
    this.overlay.stretch = look === 'stretch';
    const out = this.paint.array as Uint8Array;
    if (look === 'weight') paintWeight(out, this.weights, joint);
    if (look === 'dominant') paintDominant(out, this.weights, colours);
    if (look === 'count') paintCount(out, this.weights);
    this.paint.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.overlay.dispose();
  }
}

export class Figure {
  readonly joints: Joint[];
  readonly colours: Rgb[];
  readonly bones: THREE.Bone[];
  readonly motions: Motion[];
  readonly bounds = new THREE.Sphere();
  readonly header: CharacterHeader;
  private readonly skeleton: THREE.Skeleton;
  private readonly rest: Float32Array;
  private readonly shape = new THREE.BufferGeometry();
  private readonly skins = new Set<Skin>();

  private constructor(
    packet: Packet<CharacterHeader>,
    readonly root: THREE.Group,
    private readonly materials: THREE.Material[],
  ) {
    this.header = packet.header;
    this.joints = packet.header.joints;
    this.colours = jointPalette(this.joints);
    this.rest = packet.floats('rest');
    this.motions = packet.header.motions.map((motion, index) => new Motion(motion, packet.floats(`motion${index}`)));
    this.bones = this.joints.map((joint) => Object.assign(new THREE.Bone(), { name: joint.name }));
    this.joints.forEach((joint, index) => (joint.parent < 0 ? root : this.bones[joint.parent]).add(this.bones[index]));
    const fixed = new THREE.Bone();
    root.add(fixed);
    const inverseBind = packet.floats('inverse_bind');
    const inverses = this.joints.map((_, index) => new THREE.Matrix4().fromArray(inverseBind, index * 16));
    this.skeleton = new THREE.Skeleton([...this.bones, fixed], [...inverses, new THREE.Matrix4()]);
    this.buildShape(packet);
    this.resetPose();
  }

  // Materials and textures are read from the file itself, the rest from the packet.
  static async make(packet: Packet<CharacterHeader>, glb: ArrayBuffer | null): Promise<Figure> {
    const materials = await loadMaterials(packet.header, packet.has('colors'), glb);
    return new Figure(packet, new THREE.Group(), materials);
  }

  private buildShape(packet: Packet<CharacterHeader>): void {
    const set = (name: string, array: Float32Array, size: number) =>
      this.shape.setAttribute(name, new THREE.BufferAttribute(array, size));
    set('position', packet.floats('positions'), 3);
    set('normal', packet.floats('normals'), 3);
    if (packet.has('uvs')) set('uv', packet.floats('uvs'), 2);
    if (packet.has('colors')) set('color', packet.floats('colors'), 4);
    this.shape.setIndex(new THREE.BufferAttribute(packet.longs('triangles'), 1));
    packet.header.parts.forEach((part, index) =>
      this.shape.addGroup(part.first_triangle * 3, part.triangle_count * 3, index),
    );
    this.shape.computeBoundingSphere();
    if (this.shape.boundingSphere) this.bounds.copy(this.shape.boundingSphere);
  }

  get fixedBone(): number {
    return this.bones.length;
  }

  addSkin(weights: Weights): Skin {
    const skin = new Skin(this.shape, this.skeleton, this.materials, weights);
    this.root.add(skin.mesh);
    this.skins.add(skin);
    return skin;
  }

  removeSkin(skin: Skin): void {
    this.root.remove(skin.mesh);
    this.skins.delete(skin);
    skin.dispose();
  }

  resetPose(): void {
    applyTransforms(this.bones, this.rest, 0, this.rest, 0, 0);
  }

  dispose(): void {
    for (const skin of this.skins) this.removeSkin(skin);
    this.shape.dispose();
    this.skeleton.dispose();
    for (const material of this.materials) material.dispose();
  }
}
