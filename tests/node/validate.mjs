// validate(path): the Khronos glTF-Validator's report on a file.
// As a program, node validate.mjs FILE...: prints {"file": {errors, warnings, messages}, …} as JSON.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import validator from 'gltf-validator';

export function validate(file) {
  const folder = path.dirname(file);
  return validator.validateBytes(new Uint8Array(readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(path.join(folder, decodeURIComponent(uri)))),
  });
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const result = {};
  for (const file of process.argv.slice(2)) {
    const { issues } = await validate(file);
    const messages = issues.messages.filter((message) => message.severity <= 1);
    result[file] = { errors: issues.numErrors, warnings: issues.numWarnings, messages };
  }
  console.log(JSON.stringify(result, null, 1));
}
