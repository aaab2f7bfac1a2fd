// The material of the overlays: colours per vertex, or how much the skin is stretched right now.
//
// Stretch is measured per pixel: the screen derivatives of the rest and the posed position give both metrics of the
// triangle under it, and their ratio the largest and smallest stretch. It is exact for every triangle and costs the
// processor nothing while the character moves.
import * as THREE from 'three';

const stretchColour = /* glsl */ `
varying vec3 vPaint;
varying vec3 vRest;
varying vec3 vPosed;
uniform float showStretch;

vec3 stretchColour() {
  vec3 restX = dFdx(vRest), restY = dFdy(vRest), posedX = dFdx(vPosed), posedY = dFdy(vPosed);
  float E = dot(restX, restX), F = dot(restX, restY), G = dot(restY, restY);
  float e = dot(posedX, posedX), f = dot(posedX, posedY), g = dot(posedY, posedY);
  float area = max(E * G - F * F, 1e-30);
  float halfTrace = 0.5 * (G * e - 2.0 * F * f + E * g) / area;
  float root = sqrt(max(halfTrace * halfTrace - (e * g - f * f) / area, 0.0));
  float longer = 0.5 * log2(max(halfTrace + root, 1e-6));
  float shorter = 0.5 * log2(max(halfTrace - root, 1e-6));
  float worst = abs(shorter) > abs(longer) ? shorter : longer;
  vec3 towards = worst > 0.0 ? vec3(0.843, 0.149, 0.239) : vec3(0.145, 0.388, 0.922);
  return mix(vec3(0.85, 0.86, 0.88), towards, clamp(abs(worst), 0.0, 1.0));
}
`;

export class OverlayMaterial extends THREE.MeshStandardMaterial {
  private readonly showStretch = { value: 0 };

  constructor() {
    super({ roughness: 0.85, metalness: 0, side: THREE.DoubleSide });
  }

  set stretch(on: boolean) {
    this.showStretch.value = on ? 1 : 0;
  }

  override onBeforeCompile(shader: THREE.WebGLProgramParametersWithUniforms): void {
    shader.uniforms.showStretch = this.showStretch;
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute vec3 paint;\nattribute vec3 rest;\nvarying vec3 vPaint, vRest, vPosed;')
      .replace(
        '#include <skinning_vertex>',
        '#include <skinning_vertex>\nvPaint = paint;\nvRest = rest;\nvPosed = transformed;',
      );
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${stretchColour}`)
      .replace(
        '#include <color_fragment>',
        'diffuseColor.rgb = pow(showStretch > 0.5 ? stretchColour() : vPaint, vec3(2.2));',
      );
  }
}
