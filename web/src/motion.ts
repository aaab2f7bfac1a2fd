// Motions: ten numbers per joint and frame (translation, rotation x y z w, scale), interpolated between frames.
import * as THREE from 'three';

const size = 10;
const from = new THREE.Quaternion();
const to = new THREE.Quaternion();

// Poses the bones between two frames that begin at `first` of `a` and `second` of `b`; t in [0, 1].
export function applyTransforms(
  bones: THREE.Bone[],
  a: Float32Array,
  first: number,
  b: Float32Array,
  second: number,
  t: number,
): void {
  bones.forEach((bone, joint) => {
    const i = first + joint * size;
    const j = second + joint * size;
    const mix = (k: number) => a[i + k] + (b[j + k] - a[i + k]) * t;
    bone.position.set(mix(0), mix(1), mix(2));
    bone.quaternion.slerpQuaternions(from.fromArray(a, i + 3), to.fromArray(b, j + 3), t);
    bone.scale.set(mix(7), mix(8), mix(9));
  });
}

export function readTransforms(bones: THREE.Bone[]): Float32Array {
  const numbers = new Float32Array(bones.length * size);
  bones.forEach((bone, joint) => {
    bone.position.toArray(numbers, joint * size);
    bone.quaternion.toArray(numbers, joint * size + 3);
    bone.scale.toArray(numbers, joint * size + 7);
  });
  return numbers;
}

export class Motion {
  readonly name: string;
  readonly rate: number;
  readonly frames: number;

  constructor(
    header: { name: string; frames_per_second: number; frames: number },
    private readonly values: Float32Array,
    // Frames of the truth, for a motion that is one: its frames are shapes of their own, nothing lies between them.
    readonly truth: number[] | null = null,
  ) {
    this.name = header.name;
    this.rate = header.frames_per_second;
    this.frames = header.frames;
  }

  // `frame` need not be whole; 0 … frames − 1.
  apply(bones: THREE.Bone[], frame: number): void {
    if (this.frames === 0) return;
    const whole = this.truth ? Math.round(frame) : frame;
    const clamped = Math.min(Math.max(whole, 0), this.frames - 1);
    const below = Math.floor(clamped);
    const above = Math.min(below + 1, this.frames - 1);
    const stride = bones.length * size;
    applyTransforms(bones, this.values, below * stride, this.values, above * stride, clamped - below);
  }
}
