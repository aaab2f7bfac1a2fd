// node check_gltf.mjs PROGRAM FOLDER_OR_FILE...
//
// Runs gltf_variants (PROGRAM) on a made-up character and on every .glb named or in the folders named (a folder that
// does not exist is skipped; $SINEW_DATA/characters stands in when set), then looks at what it wrote with other eyes:
// the Khronos validator must find no error or warning that the input did not have, and three.js must see the joints,
// the weights and the posed positions that the library says are in there (within 1e-4 of the bounding diagonal).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const here = path.dirname(new URL(import.meta.url).pathname);
if (!existsSync(path.join(here, 'node_modules', 'three'))) {
  console.log('skipped: the node packages are not installed (make node)');
  process.exit(77);
}
const { validate } = await import('./validate.mjs');
const { loadScene, compareWithDump } = await import('./pose_in_three.mjs');
const { checkVrm } = await import('./vrm_in_three.mjs');

// Severity 0 is an error, 1 a warning. Counted by code: the same finding in another place is still the input's.
function findings(report) {
  const counts = {};
  for (const message of report.issues.messages) {
    if (message.severity <= 1) counts[message.code] = (counts[message.code] ?? 0) + 1;
  }
  return counts;
}

function newFindings(output, input) {
  return Object.entries(output).filter(([code, count]) => count > (input[code] ?? 0));
}

const [program, ...places] = process.argv.slice(2);
const inputs = ['generated'];
for (const given of places) {
  const place = process.env.SINEW_DATA ? path.join(process.env.SINEW_DATA, 'characters') : given;
  if (!existsSync(place)) {
    console.log(`skipped: there is no ${place}`);
  } else if (statSync(place).isDirectory()) {
    for (const file of readdirSync(place).sort()) if (file.endsWith('.glb')) inputs.push(path.join(place, file));
  } else {
    inputs.push(place);
  }
}
let failures = 0;
const fail = (text) => {
  failures += 1;
  console.log(`FAILED ${text}`);
};

for (const input of inputs) {
  const folder = mkdtempSync(path.join(tmpdir(), 'sinew_node_'));
  try {
    const name = path.basename(input);
    const run = spawnSync(program, [input, folder], { encoding: 'utf8' });
    if (run.status !== 0) {
      fail(`${name}: ${run.stderr.trim()}`);
      continue;
    }
    const before = input === 'generated' ? {} : findings(await validate(path.join(folder, 'input.glb')));
    let worst = 0;
    const outputs = readdirSync(folder).filter((file) => file.endsWith('.glb') && file !== 'input.glb').sort();
    if (readFileSync(path.join(folder, 'input.glb')).compare(readFileSync(path.join(folder, 'same.glb'))) !== 0) {
      fail(`${name}: a file that nobody changed came back with other bytes`);
    }
    for (const file of outputs) {
      const report = await validate(path.join(folder, file));
      // A fresh file owes nothing to the input.
      const allowed = file === 'fresh.glb' ? {} : before;
      for (const [code, count] of newFindings(findings(report), allowed)) {
        const example = report.issues.messages.find((message) => message.code === code);
        fail(`${name} -> ${file}: validator says ${code} ${count} times, e.g. ${example.pointer}: ${example.message}`);
      }
      const dump = path.join(folder, file.replace('.glb', '.json'));
      const scene = await loadScene(path.join(folder, file));
      if (file === 'vrm.glb') for (const problem of await checkVrm(path.join(folder, file))) fail(`${name} -> ${file}: ${problem}`);
      if (!existsSync(dump)) continue;
      const result = compareWithDump(scene, JSON.parse(readFileSync(dump)));
      worst = Math.max(worst, result.worst);
      for (const problem of result.problems) fail(`${name} -> ${file}: ${problem}`);
    }
    console.log(`${name}: ${outputs.length} files, three.js agrees within ${worst.toExponential(1)} of the diagonal`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exit(failures > 0 ? 1 : 0);
