// Poses that need the server: the corrected shape of every frame, and errors against the truth.
import * as api from './api';
import type { BoundSkin, Figure, PosedSkin } from './figure';

function same(a: Float32Array | null, b: Float32Array): boolean {
  return a !== null && a.length === b.length && a.every((value, index) => value === b[index]);
}

export class PoseServer {
  header: api.PoseHeader = {};
  private asked: Float32Array | null = null;
  private askedTruth: number | null = null;

  // Whether the figure is posed otherwise than at the last answer.
  changed(figure: Figure, truth: number | null): boolean {
    return truth !== this.askedTruth || !same(this.asked, figure.poseNumbers());
  }

  forget(): void {
    this.asked = null;
  }

  async pose(figure: Figure, plain: BoundSkin, corrected: PosedSkin | null, truth: number | null): Promise<void> {
    const numbers = figure.poseNumbers();
    this.asked = numbers;
    this.askedTruth = truth;
    const packet = await api.pose(numbers, truth);
    this.header = packet.header;
    plain.errors = packet.has('plain_error') ? packet.floats('plain_error') : null;
    if (!corrected || !packet.has('positions')) return;
    corrected.pose(packet.floats('positions'), packet.floats('normals'));
    corrected.errors = packet.has('corrected_error') ? packet.floats('corrected_error') : null;
  }
}
