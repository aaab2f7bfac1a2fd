// Where on the resting surface the pointer is, in any pose: the graphics card skins the mesh as for the picture and
// writes rest positions instead of colours into one pixel.
import * as THREE from 'three';

class RestMaterial extends THREE.MeshBasicMaterial {
  constructor() {
    super({ side: THREE.DoubleSide, blending: THREE.NoBlending });
  }

  override onBeforeCompile(shader: THREE.WebGLProgramParametersWithUniforms): void {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute vec3 rest;\nvarying vec3 vRest;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvRest = rest;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vRest;')
      .replace('#include <opaque_fragment>', 'gl_FragColor = vec4(vRest, 1.0);')
      .replace('#include <tonemapping_fragment>', '')
      .replace('#include <colorspace_fragment>', '');
  }
}

export class RestPicker {
  private readonly material = new RestMaterial();
  private readonly target = new THREE.WebGLRenderTarget(1, 1, {
    type: THREE.FloatType,
    minFilter: THREE.NearestFilter,
    magFilter: THREE.NearestFilter,
  });
  private readonly pixel = new Float32Array(4);

  // Pixel (x, y) of a view of this size, from its upper left corner. Null beside the character.
  pick(
    renderer: THREE.WebGLRenderer,
    mesh: THREE.Mesh,
    camera: THREE.PerspectiveCamera,
    [width, height]: [number, number],
    [x, y]: [number, number],
  ): THREE.Vector3 | null {
    const { material } = mesh;
    const { visible } = mesh;
    mesh.material = this.material;
    mesh.visible = true;
    camera.setViewOffset(width, height, x, y, 1, 1);
    renderer.setRenderTarget(this.target);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    renderer.render(mesh, camera);
    renderer.readRenderTargetPixels(this.target, 0, 0, 1, 1, this.pixel);
    renderer.setRenderTarget(null);
    camera.clearViewOffset();
    mesh.material = material;
    mesh.visible = visible;
    return this.pixel[3] > 0.5 ? new THREE.Vector3(this.pixel[0], this.pixel[1], this.pixel[2]) : null;
  }
}
