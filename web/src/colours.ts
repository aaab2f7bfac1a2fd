// Colours of the overlays, the same as in the pictures of `sinew render` (sinew/draw/color.cpp).
import type { Joint, Weights } from './api';

export type Rgb = [number, number, number];

const rgb = (hex: number): Rgb => [(hex >> 16) & 255, (hex >> 8) & 255, hex & 255];

const weightStops = [0xd9dbe0, 0x7c9be8, 0x3f7fdc, 0x2fb3a6, 0x74c64b, 0xf3d33f, 0xf28a2e, 0xd7263d].map(rgb);
const palette = [
  0xe4572e, 0x2e86ab, 0xf2b134, 0x7b4fa6, 0x4caf6d, 0xd94f8a, 0x3bc0c0, 0xa8642a, 0x5b6ee1, 0xb5c334, 0xc0392b,
  0x66b2e8, 0xf08a7e, 0x2f7d5b, 0xb98ad8, 0x8a8f98,
].map(rgb);
const unbound = rgb(0x55585f);
// 1, 2, 3, 4, and more than four influences.
export const countColours = [0x3b528b, 0x21918c, 0x5ec962, 0xfde725, 0xe4572e].map(rgb);

export const css = ([r, g, b]: Rgb) => `rgb(${r} ${g} ${b})`;

// 256 steps of the weight scale, three bytes each.
const weightTable = (() => {
  const table = new Uint8Array(256 * 3);
  for (let i = 0; i < 256; ++i) {
    const position = (i / 255) * (weightStops.length - 1);
    const below = Math.min(Math.floor(position), weightStops.length - 2);
    for (let c = 0; c < 3; ++c) {
      const from = weightStops[below][c];
      table[i * 3 + c] = Math.round(from + (weightStops[below + 1][c] - from) * (position - below));
    }
  }
  return table;
})();

// The colour of one value, 0 … 1, into three bytes at `offset`.
export function paintValue(out: Uint8Array, offset: number, value: number): void {
  const step = Math.max(0, Math.min(255, Math.round(value * 255))) * 3;
  out[offset] = weightTable[step];
  out[offset + 1] = weightTable[step + 1];
  out[offset + 2] = weightTable[step + 2];
}

export function weightGradient(): string {
  return `linear-gradient(90deg, ${weightStops.map(css).join(', ')})`;
}

// A colour per joint that differs from its parent's, its grandparent's and its siblings'.
export function jointPalette(joints: Joint[]): Rgb[] {
  const chosen: number[] = [];
  joints.forEach((joint, index) => {
    const taken = new Set<number>();
    if (joint.parent >= 0) {
      taken.add(chosen[joint.parent]);
      const grandparent = joints[joint.parent].parent;
      if (grandparent >= 0) taken.add(chosen[grandparent]);
      for (let other = 0; other < index; ++other) if (joints[other].parent === joint.parent) taken.add(chosen[other]);
    }
    let hue = index % palette.length;
    for (let step = 0; step < palette.length && taken.has(hue); ++step) hue = (hue + 1) % palette.length;
    chosen.push(hue);
  });
  return chosen.map((hue) => palette[hue]);
}

export function paintWeight(out: Uint8Array, { influences, joints, weights }: Weights, joint: number): void {
  const count = out.length / 3;
  for (let v = 0; v < count; ++v) {
    let weight = 0;
    for (let slot = v * influences; slot < (v + 1) * influences; ++slot) {
      if (joints[slot] === joint) weight += weights[slot];
    }
    paintValue(out, v * 3, weight);
  }
}

// Distances, full colour at `full`; grey where nothing was measured.
export function paintErrors(out: Uint8Array, errors: Float32Array | null, full: number): void {
  const count = out.length / 3;
  for (let v = 0; v < count; ++v) {
    if (errors) paintValue(out, v * 3, errors[v] / full);
    else out.set(unbound, v * 3);
  }
}

export function paintDominant(out: Uint8Array, { influences, joints, weights }: Weights, colours: Rgb[]): void {
  const count = out.length / 3;
  for (let v = 0; v < count; ++v) {
    // Slots are sorted, the strongest first.
    const bound = influences > 0 && weights[v * influences] > 0;
    out.set(bound ? colours[joints[v * influences]] : unbound, v * 3);
  }
}

export function paintCount(out: Uint8Array, { influences, weights }: Weights): void {
  const count = out.length / 3;
  for (let v = 0; v < count; ++v) {
    let used = 0;
    for (let slot = v * influences; slot < (v + 1) * influences; ++slot) used += weights[slot] > 0 ? 1 : 0;
    out.set(used === 0 ? unbound : countColours[Math.min(used, countColours.length) - 1], v * 3);
  }
}
