// The picture: one camera, one or two views beside each other, the gizmo, picking joints by clicking, and the brush.
//
// Both views look at the same bones through the same camera, so that camera and motion cannot differ. Frames are drawn
// only when something changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { element } from './dom';
import type { BoundSkin, Figure, Skin } from './figure';
import { PinDots } from './pin_dots';
import { RestPicker } from './rest_picker';
import { SkeletonView } from './skeleton_view';

const pickRadius = 14; // pixels

export type Gizmo = 'none' | 'turn' | 'move';

// What a brush hears. Places are on the resting surface.
export interface Brush {
  begin(place: THREE.Vector3): void;
  move(place: THREE.Vector3): void;
  end(): void;
}

export class Stage {
  readonly element: HTMLElement;
  readonly captions: [HTMLElement, HTMLElement];
  onPick: (joint: number) => void = () => {};
  onPose: () => void = () => {};
  onMoved: (joint: number, place: THREE.Vector3) => void = () => {};
  // Called before a frame is drawn, with the seconds since the last one while playing. May hold the stage.
  beforeFrame: (seconds: number) => void = () => {};
  brush: Brush | null = null;
  // While held nothing is drawn: the pose is not complete yet.
  held = false;
  frameMilliseconds = 0; // processor time of the last frame
  frames = 0; // drawn so far

  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  private readonly views: [HTMLElement, HTMLElement];
  private readonly controls: OrbitControls[];
  private readonly gizmo: TransformControls;
  private readonly picker = new RestPicker();
  private readonly pins = new PinDots();
  private readonly ring = element('div', { class: 'brush', hidden: true });
  private figure: Figure | null = null;
  private skeleton: SkeletonView | null = null;
  private skins: [Skin | null, Skin | null] = [null, null];
  private joint = -1;
  private dirty = true;
  private animating = false;
  private lastTime = 0;

  constructor() {
    this.captions = [element('div', { class: 'caption' }), element('div', { class: 'caption' })];
    this.views = [
      element('div', { class: 'view', tabindex: 0, 'aria-label': 'character' }, this.captions[0], this.ring),
      element('div', { class: 'view', tabindex: 0, 'aria-label': 'what stands beside it', hidden: true }, this.captions[1]),
    ];
    this.renderer = new THREE.WebGLRenderer({ antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setScissorTest(true);
    this.element = element('div', { class: 'stage' }, this.renderer.domElement, ...this.views);
    this.light();

    this.controls = this.views.map((view) => new OrbitControls(this.camera, view));
    this.controls[1].target = this.controls[0].target;
    this.controls.forEach((controls, index) => {
      controls.addEventListener('change', () => this.redraw());
      controls.listenToKeyEvents(this.views[index]);
    });
    this.gizmo = new TransformControls(this.camera, this.views[0]);
    this.gizmo.setSpace('local');
    this.gizmo.setSize(0.7);
    this.gizmo.addEventListener('change', () => this.redraw());
    this.gizmo.addEventListener('axis-changed', () => (document.body.dataset.gizmo = String(this.gizmo.axis !== null)));
    this.gizmo.addEventListener('objectChange', () => this.onPose());
    this.gizmo.addEventListener('dragging-changed', (event) => {
      this.controls[0].enabled = !event.value;
      if (!event.value && this.gizmo.mode === 'translate' && this.figure) {
        this.onMoved(this.joint, this.figure.bones[this.joint].getWorldPosition(new THREE.Vector3()));
      }
    });
    this.scene.add(this.gizmo.getHelper(), this.pins.dots);
    this.listenToBrush(this.views[0]);
    this.views.forEach((view, index) => this.pickOn(view, index));
    new ResizeObserver(() => this.redraw()).observe(this.element);
    requestAnimationFrame((time) => this.tick(time));
  }

  redraw(): void {
    this.dirty = true;
  }

  // Draws the pose that was waited for, at once.
  release(): void {
    this.held = false;
    this.draw();
  }

  set playing(on: boolean) {
    this.animating = on;
    this.redraw();
  }

  // A new figure; the camera stays where it is when the mesh is the same as before.
  show(figure: Figure, sameMesh: boolean): void {
    if (this.figure && this.skeleton) {
      this.gizmo.detach();
      this.scene.remove(this.figure.root, this.skeleton.group);
      this.skeleton.dispose();
      this.figure.dispose();
    }
    this.skins = [null, null];
    this.figure = figure;
    this.skeleton = new SkeletonView(figure);
    this.scene.add(figure.root, this.skeleton.group);
    if (!sameMesh) this.frameAll();
  }

  setSkins(left: Skin, right: Skin | null): void {
    this.skins = [left, right];
    this.views[1].hidden = right === null;
    this.redraw();
  }

  showSkeleton(on: boolean, before: boolean, confidence: boolean): void {
    if (this.skeleton) {
      this.skeleton.group.visible = on || before;
      this.skeleton.show(on, before, confidence);
    }
    this.redraw();
  }

  showPins(skin: BoundSkin | null): void {
    this.pins.show(skin);
    this.redraw();
  }

  select(joint: number, gizmo: Gizmo): void {
    this.joint = joint;
    this.skeleton?.select(joint);
    if (joint >= 0 && gizmo !== 'none' && this.figure) {
      this.gizmo.setMode(gizmo === 'turn' ? 'rotate' : 'translate');
      this.gizmo.setSpace(gizmo === 'turn' ? 'local' : 'world');
      this.gizmo.attach(this.figure.bones[joint]);
    } else {
      this.gizmo.detach();
    }
    this.redraw();
  }

  // How large a length on the surface is on the screen, about where the camera looks.
  pixels(length: number): number {
    const distance = this.camera.position.distanceTo(this.controls[0].target);
    return (length / (2 * distance * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)))) * this.element.clientHeight;
  }

  // Looks at the whole character from the front.
  frameAll(): void {
    const { center, radius } = this.figure?.bounds ?? new THREE.Sphere(new THREE.Vector3(), 1);
    const upwards = THREE.MathUtils.degToRad(this.camera.fov / 2);
    const sideways = Math.atan(Math.tan(upwards) * this.camera.aspect);
    const distance = (radius * 1.05) / Math.sin(Math.min(upwards, sideways));
    this.camera.near = distance / 100;
    this.camera.far = distance * 20;
    this.camera.position.copy(center).add(new THREE.Vector3(0.28, 0.12, 1).normalize().multiplyScalar(distance));
    this.controls[0].target.copy(center);
    for (const controls of this.controls) controls.update();
    this.redraw();
  }

  // Where on the resting surface of the left view a pixel is.
  placeAt(x: number, y: number): THREE.Vector3 | null {
    const [skin] = this.skins;
    if (!skin) return null;
    const box = this.views[0].getBoundingClientRect();
    this.camera.aspect = box.width / box.height;
    return this.picker.pick(
      this.renderer,
      skin.mesh,
      this.camera,
      [box.width, box.height],
      [Math.floor(x - box.left), Math.floor(y - box.top)],
    );
  }

  showBrush(radius: number | null): void {
    this.ring.hidden = radius === null;
    if (radius === null) return;
    const size = `${(this.pixels(radius) * 2).toFixed(1)}px`;
    this.ring.style.width = size;
    this.ring.style.height = size;
  }

  private light(): void {
    this.scene.background = new THREE.Color(0x23262d);
    const environment = new THREE.PMREMGenerator(this.renderer);
    this.scene.environment = environment.fromScene(new RoomEnvironment(), 0.04).texture;
    this.scene.environmentIntensity = 0.4;
    const lamp = new THREE.DirectionalLight(0xffffff, 1.1);
    lamp.position.set(0.5, 0.8, 1);
    this.camera.add(lamp, lamp.target);
    lamp.target.position.set(0, 0, -1);
    this.scene.add(this.camera);
  }

  // The first button paints where it meets the character and turns the camera elsewhere. In the capture phase: before
  // the camera's controls hear of it.
  private listenToBrush(view: HTMLElement): void {
    let painting = false;
    const place = (event: PointerEvent) => this.placeAt(event.clientX, event.clientY);
    view.addEventListener(
      'pointerdown',
      (event) => {
        if (!this.brush || event.button !== 0) return;
        const hit = place(event);
        if (!hit) return;
        painting = true;
        this.controls[0].enabled = false;
        view.setPointerCapture(event.pointerId);
        this.brush.begin(hit);
      },
      { capture: true },
    );
    view.addEventListener('pointermove', (event) => {
      if (!this.ring.hidden) {
        const box = view.getBoundingClientRect();
        this.ring.style.left = `${event.clientX - box.left}px`;
        this.ring.style.top = `${event.clientY - box.top}px`;
      }
      if (!painting || !this.brush) return;
      const hit = place(event);
      if (hit) this.brush.move(hit);
    });
    const stop = () => {
      if (!painting) return;
      painting = false;
      this.controls[0].enabled = true;
      this.brush?.end();
    };
    view.addEventListener('pointerup', stop);
    view.addEventListener('pointercancel', stop);
  }

  private pickOn(view: HTMLElement, index: number): void {
    let start = [0, 0];
    view.addEventListener('pointerdown', (event) => (start = [event.clientX, event.clientY]));
    view.addEventListener('pointerup', (event) => {
      if (this.brush && index === 0) return;
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
    if (this.held) return;
    const seconds = Math.min((time - this.lastTime) / 1000, 0.25);
    this.lastTime = time;
    if (!this.dirty && !this.animating) return;
    this.dirty = false;
    this.beforeFrame(this.animating ? seconds : 0);
    if (!this.held) this.draw();
  }

  private draw(): void {
    const start = performance.now();
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    const size = this.renderer.getSize(new THREE.Vector2());
    if (size.x !== width || size.y !== height) this.renderer.setSize(width, height);
    const shown = this.skins[1] ? 2 : 1;
    this.camera.aspect = width / shown / height;
    this.camera.updateProjectionMatrix();
    this.scene.updateMatrixWorld();
    if (this.skeleton?.group.visible) this.skeleton.update();
    this.pins.update();
    for (let view = 0; view < shown; ++view) {
      this.figure?.skinList.forEach((skin) => (skin.mesh.visible = skin === this.skins[view]));
      this.gizmo.getHelper().visible = view === 0 && this.gizmo.object !== undefined;
      this.pins.dots.visible = view === 0;
      this.renderer.setViewport((view * width) / shown, 0, width / shown, height);
      this.renderer.setScissor((view * width) / shown, 0, width / shown, height);
      this.renderer.render(this.scene, this.camera);
    }
    ++this.frames;
    this.frameMilliseconds = performance.now() - start;
  }
}
