// How fast the page is with a large character: what travels, how long opening takes, frames while it plays, and with
// --paint how long the answers to three strokes of the brush take, at the method's own resolution.
//   node measure_page.mjs SINEW_PROGRAM WORK_FOLDER [VERTICES] [--paint]
// Draws in software unless a graphics card is given to the browser: CHROMIUM_ARGS="--use-gl=angle".
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const [program, work, vertices = '200000'] = process.argv.slice(2).filter((word) => word !== '--paint');
const painting = process.argv.includes('--paint');
mkdirSync(work, { recursive: true });
const file = path.join(work, `large_${vertices}.glb`);
spawnSync(program, ['make-character', file, '--kind', 'adult', '--vertices', vertices, '--quiet'], { stdio: 'inherit' });
const server = spawn(program, ['view', file, '--no-open', '--json', '--quiet'], { stdio: ['ignore', 'pipe', 'inherit'] });
let text = '';
for await (const chunk of server.stdout) {
  text += chunk;
  if (text.includes('\n}')) break;
}
async function play(page) {
  for (const [look, key] of [['materials', '1'], ['stretch', '5']]) {
    await page.locator('.view').first().focus();
    await page.keyboard.press(key);
    await page.keyboard.press(' ');
    const result = await page.evaluate(
      () =>
        new Promise((done) => {
          const begin = performance.now();
          const costs = [];
          let frames = 0;
          const tick = () => {
            ++frames;
            costs.push(parseFloat(document.querySelector('#frame-time').textContent) || 0);
            if (performance.now() - begin < 4000) requestAnimationFrame(tick);
            else done({ rate: frames / ((performance.now() - begin) / 1000), cost: costs.sort((a, b) => a - b)[frames >> 1] });
          };
          requestAnimationFrame(tick);
        }),
    );
    await page.keyboard.press(' ');
    console.log(`${look}: ${result.rate.toFixed(1)} frames per second; script ${result.cost.toFixed(1)} ms per frame (median)`);
  }
}

// Seconds from the touch of the brush to the first weights that follow it, and from its end to all of them; in brackets
// what the server took.
async function paint(page, wait) {
  await page.click('#tab-bind');
  await page.selectOption('#method', 'biharmonic');
  await page.click('#tab-paint');
  await page.click('#paint');
  await wait(() => document.body.dataset.painting === 'true' && document.body.dataset.idle === 'true');
  const box = await page.locator('.view').first().boundingBox();
  for (let stroke = 0; stroke < 3; ++stroke) {
    const place = (share) => [box.x + box.width * (0.48 + 0.02 * stroke), box.y + box.height * share];
    const before = await page.evaluate(() => document.body.dataset.entry);
    await page.mouse.move(...place(0.36));
    const start = performance.now();
    await page.mouse.down();
    await wait((old) => document.body.dataset.entry !== old, before);
    const first = performance.now() - start;
    const near = await page.innerText('.history .now');
    await page.mouse.move(...place(0.42), { steps: 4 });
    await page.mouse.up();
    const end = performance.now();
    await wait(() => document.body.dataset.idle === 'true');
    const settled = performance.now() - end;
    console.log(`stroke ${stroke + 1}: first answer after ${(first / 1000).toFixed(2)} s (${near}), all weights ${(settled / 1000).toFixed(2)} s after its end (${await page.innerText('.history .now')})`);
  }
}

const software = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-sandbox'];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', ...(process.env.CHROMIUM_ARGS?.split(' ') ?? software)],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const sizes = new Map();
  page.on('response', (response) => {
    const name = new URL(response.url()).pathname.split('/api/')[1];
    if (name && /character|weights/.test(name)) sizes.set(name, Number(response.headers()['content-length']));
  });
  const start = performance.now();
  await page.goto(JSON.parse(text).address);
  const wait = async (condition, argument) => {
    while (!(await page.evaluate(condition, argument))) await new Promise((done) => setTimeout(done, 20));
  };
  await wait(() => document.body.dataset.ready === 'true');
  console.log(`file ${(statSync(file).size / 1e6).toFixed(1)} MB; opened in ${((performance.now() - start) / 1000).toFixed(2)} s`);
  for (const [name, bytes] of sizes) console.log(`${name}: ${(bytes / 1e6).toFixed(1)} MB`);
  if (painting) await paint(page, wait);
  else await play(page);
} finally {
  await browser.close();
  server.kill('SIGTERM');
}
