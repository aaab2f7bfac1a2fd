// The skeleton drawn over the skin: bones as lines, joints as dots, the selected one in another colour; and beside it,
// when it was fitted, how it was before.
import * as THREE from 'three';
import type { Figure } from './figure';

const boneColour = new THREE.Color(0xffd166);
const selectedColour = new THREE.Color(0xff3d71);
const beforeColour = new THREE.Color(0x5aa9ff);
const surest = new THREE.Color(0x4ade80);
const unsure = new THREE.Color(0xff5a3d);
const material = { depthTest: false, depthWrite: false, transparent: true };

export class SkeletonView {
  readonly group = new THREE.Group();
  private readonly lines: THREE.LineSegments;
  private readonly dots: THREE.Points;
  private readonly before: THREE.LineSegments | null;
  private readonly links: [number, number][] = [];
  private readonly place = new THREE.Vector3();
  private selected = -1;
  private withConfidence = false;

  constructor(private readonly figure: Figure) {
    figure.joints.forEach((joint, index) => {
      // A helper carries joints but is no bone; a line to it would cross the whole picture.
      if (joint.parent >= 0 && figure.joints[joint.parent].kind !== 'helper') this.links.push([joint.parent, index]);
    });
    this.lines = this.segments(boneColour);
    this.before = figure.before ? this.segments(beforeColour) : null;
    if (this.before && figure.before) this.placeLines(this.before, figure.before);
    const dots = new THREE.BufferGeometry();
    dots.setAttribute('position', new THREE.BufferAttribute(new Float32Array(figure.joints.length * 3), 3));
    dots.setAttribute('color', new THREE.BufferAttribute(new Float32Array(figure.joints.length * 3), 3));
    this.dots = new THREE.Points(
      dots,
      new THREE.PointsMaterial({ size: 7, sizeAttenuation: false, vertexColors: true, ...material }),
    );
    for (const object of this.objects()) {
      object.frustumCulled = false;
      object.renderOrder = 10;
      this.group.add(object);
    }
    this.show(true, false, false);
  }

  // `confidence`: joints in the colour of how surely the mesh told where they belong.
  show(skeleton: boolean, before: boolean, confidence: boolean): void {
    this.lines.visible = skeleton;
    this.dots.visible = skeleton;
    if (this.before) this.before.visible = before;
    this.withConfidence = confidence;
    this.colour();
  }

  select(joint: number): void {
    this.selected = joint;
    this.colour();
  }

  // Where joint `index` is now; bones must be up to date.
  position(index: number, out: THREE.Vector3): THREE.Vector3 {
    return out.setFromMatrixPosition(this.figure.bones[index].matrixWorld);
  }

  update(): void {
    const dots = this.dots.geometry.attributes.position;
    this.figure.joints.forEach((_, index) => this.position(index, this.place).toArray(dots.array, index * 3));
    dots.needsUpdate = true;
    this.placeLines(this.lines, dots.array);
  }

  dispose(): void {
    for (const object of this.objects()) {
      object.geometry.dispose();
      (object.material as THREE.Material).dispose();
    }
  }

  private objects(): (THREE.LineSegments | THREE.Points)[] {
    return [this.lines, this.dots, ...(this.before ? [this.before] : [])];
  }

  private segments(color: THREE.Color): THREE.LineSegments {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(this.links.length * 6), 3));
    return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color, ...material }));
  }

  private placeLines(object: THREE.LineSegments, places: ArrayLike<number>): void {
    const lines = object.geometry.attributes.position;
    this.links.forEach(([from, to], index) => {
      for (let c = 0; c < 3; ++c) {
        lines.array[index * 6 + c] = places[from * 3 + c];
        lines.array[index * 6 + 3 + c] = places[to * 3 + c];
      }
    });
    lines.needsUpdate = true;
  }

  private colour(): void {
    const colours = this.dots.geometry.attributes.color;
    const confidence = this.figure.header.fitted?.confidence;
    const mixed = new THREE.Color();
    this.figure.joints.forEach((_, index) => {
      let colour = boneColour;
      if (this.withConfidence && confidence) colour = mixed.lerpColors(unsure, surest, confidence[index]);
      if (index === this.selected) colour = selectedColour;
      colour.toArray(colours.array, index * 3);
    });
    colours.needsUpdate = true;
  }
}
