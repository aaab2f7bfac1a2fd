// Dots on the vertices whose weights were painted. They follow the skin.
import * as THREE from 'three';
import type { BoundSkin } from './figure';

const mostDots = 20000; // more could not be told apart

// A little nearer than the surface they lie on, so that it does not hide them.
class DotMaterial extends THREE.PointsMaterial {
  override onBeforeCompile(shader: THREE.WebGLProgramParametersWithUniforms): void {
    shader.vertexShader = shader.vertexShader.replace(
      '#include <project_vertex>',
      '#include <project_vertex>\ngl_Position.z -= 0.001 * gl_Position.w;',
    );
  }
}

export class PinDots {
  readonly dots = new THREE.Points(
    new THREE.BufferGeometry(),
    new DotMaterial({ size: 4, sizeAttenuation: false, color: 0xffffff }),
  );
  private skin: BoundSkin | null = null;
  private readonly place = new THREE.Vector3();

  constructor() {
    this.dots.frustumCulled = false;
  }

  // Null for none.
  show(skin: BoundSkin | null): void {
    this.skin = skin;
    const count = Math.min(skin?.pins.length ?? 0, mostDots);
    this.dots.geometry.dispose();
    this.dots.geometry = new THREE.BufferGeometry();
    this.dots.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(count * 3), 3));
  }

  // Bones must be up to date.
  update(): void {
    const { position } = this.dots.geometry.attributes;
    if (!this.skin || !position) return;
    for (let i = 0; i < position.count; ++i) this.skin.posed(this.skin.pins[i], this.place).toArray(position.array, i * 3);
    position.needsUpdate = true;
  }
}
