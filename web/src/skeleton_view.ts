// The skeleton drawn over the skin: bones as lines, joints as dots, the selected one in another colour.
import * as THREE from 'three';
import type { Figure } from './figure';

const boneColour = new THREE.Color(0xffd166);
const selectedColour = new THREE.Color(0xff3d71);

export class SkeletonView {
  readonly group = new THREE.Group();
  private readonly lines: THREE.LineSegments;
  private readonly dots: THREE.Points;
  private readonly links: [number, number][] = [];
  private readonly place = new THREE.Vector3();

  constructor(private readonly figure: Figure) {
    figure.joints.forEach((joint, index) => {
      // A helper carries joints but is no bone; a line to it would cross the whole picture.
      if (joint.parent >= 0 && figure.joints[joint.parent].kind !== 'helper') this.links.push([joint.parent, index]);
    });
    const material = { depthTest: false, depthWrite: false, transparent: true };
    const lines = new THREE.BufferGeometry();
    lines.setAttribute('position', new THREE.BufferAttribute(new Float32Array(this.links.length * 6), 3));
    this.lines = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: boneColour, ...material }));
    const dots = new THREE.BufferGeometry();
    dots.setAttribute('position', new THREE.BufferAttribute(new Float32Array(figure.joints.length * 3), 3));
    dots.setAttribute('color', new THREE.BufferAttribute(new Float32Array(figure.joints.length * 3), 3));
    this.dots = new THREE.Points(
      dots,
      new THREE.PointsMaterial({ size: 7, sizeAttenuation: false, vertexColors: true, ...material }),
    );
    for (const object of [this.lines, this.dots]) {
      object.frustumCulled = false;
      object.renderOrder = 10;
      this.group.add(object);
    }
    this.select(-1);
  }

  select(joint: number): void {
    const colours = this.dots.geometry.attributes.color;
    this.figure.joints.forEach((_, index) =>
      (index === joint ? selectedColour : boneColour).toArray(colours.array, index * 3),
    );
    colours.needsUpdate = true;
  }

  // Where joint `index` is now; bones must be up to date.
  position(index: number, out: THREE.Vector3): THREE.Vector3 {
    return out.setFromMatrixPosition(this.figure.bones[index].matrixWorld);
  }

  update(): void {
    const dots = this.dots.geometry.attributes.position;
    this.figure.joints.forEach((_, index) => this.position(index, this.place).toArray(dots.array, index * 3));
    dots.needsUpdate = true;
    const lines = this.lines.geometry.attributes.position;
    this.links.forEach(([from, to], index) => {
      for (let c = 0; c < 3; ++c) {
        lines.array[index * 6 + c] = dots.array[from * 3 + c];
        lines.array[index * 6 + 3 + c] = dots.array[to * 3 + c];
      }
    });
    lines.needsUpdate = true;
  }

  dispose(): void {
    for (const object of [this.lines, this.dots]) {
      object.geometry.dispose();
      (object.material as THREE.Material).dispose();
    }
  }
}
