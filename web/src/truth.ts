// Frames whose true shape is known, as motions: one per motion of the training shapes.
import type { Packet } from './api';
import { Motion } from './motion';

export function truthMotions(packet: Packet<{ frames: { motion: string; frame: number }[] }>): Motion[] {
  const { frames } = packet.header;
  const poses = packet.floats('poses');
  const stride = frames.length === 0 ? 0 : poses.length / frames.length;
  const byName = new Map<string, number[]>();
  frames.forEach(({ motion }, index) => {
    const indices = byName.get(motion);
    if (indices) indices.push(index);
    else byName.set(motion, [index]);
  });
  return [...byName].map(([name, indices]) => {
    const inOrder = indices.sort((a, b) => frames[a].frame - frames[b].frame);
    const values = new Float32Array(inOrder.length * stride);
    inOrder.forEach((frame, i) => values.set(poses.subarray(frame * stride, (frame + 1) * stride), i * stride));
    return new Motion({ name: `truth: ${name}`, frames_per_second: 12, frames: inOrder.length }, values, inOrder);
  });
}
