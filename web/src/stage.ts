// The picture: one camera, one or two views beside each other, the gizmo, and picking joints by clicking on them.
//
// Both views look at the same bones through the same camera, so that camera and motion cannot differ. Frames are drawn
// only when something changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { element } from './dom';
import type { Figure, Skin } from './figure';
import { SkeletonView } from './skeleton_view';

const pickRadius = 14; // pixels

export class Stage {
  readonly element: HTMLElement;
  readonly captions: [HTMLElement, HTMLElement];
  onPick: (joint: number) => void = () => {};
  onPose: () => void = () => {};
  beforeFrame: (seconds: number) => void = () => {};
  frameMilliseconds = 0; // processor time of the last frame

  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  private readonly views: [HTMLElement, HTMLElement];
  private readonly controls: OrbitControls[];
  private readonly gizmo: TransformControls;
  private figure: Figure | null = null;
  private skeleton: SkeletonView | null = null;
  private skins: [Skin | null, Skin | null] = [null, null];
  private dirty = true;
  private animating = false;
  private lastTime = 0;

  constructor() {
    this.captions = [element('div', { class: 'caption' }), element('div', { class: 'caption' })];
    this.views = [
      element('div', { class: 'view', tabindex: 0, 'aria-label': 'character' }, this.captions[0]),
      element('div', { class: 'view', tabindex: 0, 'aria-label': 'character, other weights', hidden: true }, this.captions[1]),
    ];
    this.renderer = new THREE.WebGLRenderer({ antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setScissorTest(true);
    this.element = element('div', { class: 'stage' }, this.renderer.domElement, ...this.views);

    this.scene.background = new THREE.Color(0x23262d);
    const environment = new THREE.PMREMGenerator(this.renderer);
    this.scene.environment = environment.fromScene(new RoomEnvironment(), 0.04).texture;
    this.scene.environmentIntensity = 0.4;
    const lamp = new THREE.DirectionalLight(0xffffff, 1.1);
    lamp.position.set(0.5, 0.8, 1);
    this.camera.add(lamp, lamp.target);
    lamp.target.position.set(0, 0, -1);
    this.scene.add(this.camera);

    this.controls = this.views.map((view) => new OrbitControls(this.camera, view));
    this.controls[1].target = this.controls[0].target;
    this.controls.forEach((controls, index) => {
      controls.addEventListener('change', () => this.redraw());
      controls.listenToKeyEvents(this.views[index]);
    });
    this.gizmo = new TransformControls(this.camera, this.views[0]);
    this.gizmo.setMode('rotate');
    this.gizmo.setSpace('local');
    this.gizmo.setSize(0.7);
    this.gizmo.addEventListener('change', () => this.redraw());
    this.gizmo.addEventListener('axis-changed', () => (document.body.dataset.gizmo = String(this.gizmo.axis !== null)));
    this.gizmo.addEventListener('objectChange', () => this.onPose());
    this.gizmo.addEventListener('dragging-changed', (event) => (this.controls[0].enabled = !event.value));
    this.scene.add(this.gizmo.getHelper());
    this.views.forEach((view, index) => this.pickOn(view, index));
    new ResizeObserver(() => this.redraw()).observe(this.element);
    requestAnimationFrame((time) => this.tick(time));
  }

  redraw(): void {
    this.dirty = true;
  }

  set playing(on: boolean) {
    this.animating = on;
    this.redraw();
  }

  show(figure: Figure): void {
    if (this.figure && this.skeleton) {
      this.gizmo.detach();
      this.scene.remove(this.figure.root, this.skeleton.group);
      this.skeleton.dispose();
      this.figure.dispose();
    }
    this.figure = figure;
    this.skeleton = new SkeletonView(figure);
    this.scene.add(figure.root, this.skeleton.group);
    this.frameAll();
  }

  setSkins(left: Skin, right: Skin | null): void {
    this.skins = [left, right];
    this.views[1].hidden = right === null;
    this.redraw();
  }

  showSkeleton(on: boolean): void {
    if (this.skeleton) this.skeleton.group.visible = on;
    this.redraw();
  }

  select(joint: number, withGizmo: boolean): void {
    this.skeleton?.select(joint);
    if (joint >= 0 && withGizmo && this.figure) this.gizmo.attach(this.figure.bones[joint]);
    else this.gizmo.detach();
    this.redraw();
  }

  // Looks at the whole character from the front.
  frameAll(): void {
    const { center, radius } = this.figure?.bounds ?? new THREE.Sphere(new THREE.Vector3(), 1);
    const distance = (radius * 1.05) / Math.sin(THREE.MathUtils.degToRad(this.camera.fov / 2));
    this.camera.near = distance / 100;
    this.camera.far = distance * 20;
    this.camera.position.copy(center).add(new THREE.Vector3(0.28, 0.12, 1).normalize().multiplyScalar(distance));
    this.controls[0].target.copy(center);
    for (const controls of this.controls) controls.update();
    this.redraw();
  }

  private pickOn(view: HTMLElement, index: number): void {
    let start = [0, 0];
    view.addEventListener('pointerdown', (event) => (start = [event.clientX, event.clientY]));
    view.addEventListener('pointerup', (event) => {
      if (Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 3 || (index === 0 && this.gizmo.axis)) return;
      const joint = this.jointAt(view.getBoundingClientRect(), event.clientX, event.clientY);
      if (joint >= 0) this.onPick(joint);
    });
  }

  private jointAt(box: DOMRect, x: number, y: number): number {
    if (!this.figure || !this.skeleton?.group.visible) return -1;
    const place = new THREE.Vector3();
    let best = -1;
    let nearest = pickRadius;
    this.figure.joints.forEach((_, joint) => {
      this.skeleton?.position(joint, place).project(this.camera);
      const distance = Math.hypot(
        box.left + ((place.x + 1) / 2) * box.width - x,
        box.top + ((1 - place.y) / 2) * box.height - y,
      );
      if (distance < nearest) [best, nearest] = [joint, distance];
    });
    return best;
  }

  private tick(time: number): void {
    requestAnimationFrame((next) => this.tick(next));
    const seconds = Math.min((time - this.lastTime) / 1000, 0.25);
    this.lastTime = time;
    if (!this.dirty && !this.animating) return;
    this.dirty = false;
    const start = performance.now();
    this.beforeFrame(this.animating ? seconds : 0);
    this.draw();
    this.frameMilliseconds = performance.now() - start;
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    const size = this.renderer.getSize(new THREE.Vector2());
    if (size.x !== width || size.y !== height) this.renderer.setSize(width, height);
    const shown = this.skins[1] ? 2 : 1;
    this.camera.aspect = width / shown / height;
    this.camera.updateProjectionMatrix();
    this.scene.updateMatrixWorld();
    if (this.skeleton?.group.visible) this.skeleton.update();
    for (let view = 0; view < shown; ++view) {
      this.skins.forEach((skin, index) => skin && (skin.mesh.visible = index === view));
      this.gizmo.getHelper().visible = view === 0 && this.gizmo.object !== undefined;
      this.renderer.setViewport((view * width) / shown, 0, width / shown, height);
      this.renderer.setScissor((view * width) / shown, 0, width / shown, height);
      this.renderer.render(this.scene, this.camera);
    }
  }
}
