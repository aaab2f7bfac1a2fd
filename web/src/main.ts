// The page of `sinew view`: puts the panels around the stage and keeps them in step with the server.
import './style.css';
import * as api from './api';
import { BindPanel } from './bind_panel';
import { element, fill } from './dom';
import { Figure, type Skin } from './figure';
import { LookPanel } from './look_panel';
import { Messages } from './messages';
import { helpDialog, listenToKeys } from './keys';
import { Stage } from './stage';
import { Timeline } from './timeline';

class Page {
  private readonly stage = new Stage();
  private readonly look = new LookPanel();
  private readonly timeline = new Timeline();
  private readonly messages = new Messages();
  private readonly jointList = element('select', { id: 'joint-list', size: 12, 'aria-label': 'joints' });
  private readonly history = element('ol', { class: 'history' });
  private readonly title = element('h1', {}, 'Sinew');
  private readonly facts = element('span', { class: 'hint' });
  private readonly undoButton = element('button', { id: 'undo', title: 'Ctrl+Z' }, 'Undo');
  private readonly redoButton = element('button', { id: 'redo', title: 'Ctrl+Shift+Z' }, 'Redo');
  private readonly picker = element('input', { type: 'file', hidden: true });
  private readonly help = helpDialog();
  private readonly bindPanel: BindPanel;

  private state: api.State | null = null;
  private figure: Figure | null = null;
  private skin: Skin | null = null;
  private otherSkin: Skin | null = null;
  private beside: number | null = null;
  private joint = -1;
  private job = 0;
  private waiting: api.BindRequest | null = null;
  private saved: { entry: number; blob: Blob } | null = null;
  private saveTimer = 0;

  constructor(methods: api.Method[]) {
    this.bindPanel = new BindPanel(methods);
    this.bindPanel.onBind = (request) => void this.bind(request);
    this.bindPanel.onCancel = () => void this.cancel();
    this.look.onChange = () => this.repaint();
    this.look.onCompare = (entry) => void this.guard(() => this.compare(entry));
    this.stage.onPick = (joint) => this.select(joint);
    this.stage.onPose = () => this.timeline.release();
    this.stage.beforeFrame = (seconds) => this.timeline.advance(seconds);
    this.timeline.onChange = () => this.stage.redraw();
    this.timeline.onPlay = (playing) => (this.stage.playing = playing);
    this.jointList.addEventListener('change', () => this.select(Number(this.jointList.value)));
    this.undoButton.addEventListener('click', () => void this.step(api.undo));
    this.redoButton.addEventListener('click', () => void this.step(api.redo));
    this.picker.addEventListener('change', () => this.picker.files?.[0] && void this.open(this.picker.files[0]));
    this.build();
    this.listen();
  }

  async start(): Promise<void> {
    await this.reload();
    document.body.dataset.ready = 'true';
    setInterval(() => void this.listenForServer(), 3000);
  }

  private build(): void {
    const button = (id: string, label: string, title: string, action: () => void) =>
      element('button', { id, title, onclick: action }, label);
    const header = element(
      'header',
      {},
      this.title,
      this.facts,
      element('span', { class: 'spring' }),
      button('open', 'Open…', 'or drop a file on the page', () => this.picker.click()),
      button('save', 'Save GLB', 'Ctrl+S', () => void this.guard(() => this.save())),
      button('help', 'Keys', '?', () => this.help.showModal()),
      this.picker,
    );
    const side = element(
      'aside',
      {},
      this.look.element,
      element(
        'section',
        { 'aria-label': 'Joints' },
        element('h2', {}, 'Joints'),
        this.jointList,
        button('reset-pose', 'Rest pose', 'R', () => this.timeline.rest()),
      ),
      this.bindPanel.element,
      element(
        'section',
        { 'aria-label': 'History' },
        element('h2', {}, 'History'),
        element('div', { class: 'buttons' }, this.undoButton, this.redoButton),
        this.history,
      ),
    );
    const centre = element('main', {}, this.stage.element, this.messages.element, this.timeline.element);
    const app = document.getElementById('app');
    if (app) fill(app, header, centre, side, this.help);
  }

  private listen(): void {
    listenToKeys({
      ' ': () => this.timeline.toggle(),
      ',': () => this.timeline.step(-1),
      '.': () => this.timeline.step(1),
      s: () => this.look.toggleSkeleton(),
      g: () => this.look.toggleGizmo(),
      c: () => void this.guard(() => this.compare(this.beside === null ? (this.state?.history[0].id ?? null) : null)),
      f: () => this.stage.frameAll(),
      r: () => this.timeline.rest(),
      '?': () => this.help.showModal(),
      Escape: () => void this.cancel(),
      'ctrl+z': () => void this.step(api.undo),
      'ctrl+shift+z': () => void this.step(api.redo),
      'ctrl+y': () => void this.step(api.redo),
      'ctrl+s': () => void this.guard(() => this.save()),
      ...Object.fromEntries([0, 1, 2, 3, 4].map((look) => [String(look + 1), () => this.look.pickLook(look)])),
    });
    window.addEventListener('dragover', (event) => {
      event.preventDefault();
      document.body.classList.add('dropping');
    });
    window.addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) document.body.classList.remove('dropping');
    });
    window.addEventListener('drop', (event) => {
      event.preventDefault();
      document.body.classList.remove('dropping');
      const file = event.dataTransfer?.files[0];
      if (file) void this.open(file);
    });
  }

  private async guard(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.messages.fail(error);
    }
  }

  // Everything anew: at the start, and when another file was opened.
  private async reload(): Promise<void> {
    this.state = await api.state();
    const packet = await api.character();
    const glb = packet.header.has_materials ? await api.openedGlb() : null;
    const figure = await Figure.make(packet, glb);
    this.skin = null;
    this.otherSkin = null;
    this.beside = null;
    this.joint = -1;
    this.figure = figure;
    this.stage.show(figure);
    this.timeline.show(figure);
    this.listJoints(figure);
    await this.showEntry();
    const { vertices, joints } = packet.header;
    this.title.textContent = this.state.file;
    document.title = `${this.state.file} · Sinew`;
    this.facts.textContent = `${vertices.toLocaleString('en')} vertices, ${joints.length} joints`;
    this.bindPanel.setEnabled(
      joints.length > 0,
      joints.length > 0 ? '' : 'there is no skeleton yet: drop a .glb, .fbx or .bvh file that holds one',
    );
    for (const warning of this.state.warnings) this.messages.note(warning.message, 'warning');
  }

  private listJoints(figure: Figure): void {
    const depth: number[] = [];
    fill(this.jointList);
    figure.joints.forEach((joint, index) => {
      depth.push(joint.parent < 0 ? 0 : depth[joint.parent] + 1);
      this.jointList.append(element('option', { value: index }, '\u00a0\u00a0'.repeat(depth[index]) + joint.name));
    });
  }

  private get entry(): api.Entry | null {
    return this.state?.history[this.state.position] ?? null;
  }

  // Brings the present entry of the history onto the skin.
  private async showEntry(): Promise<void> {
    const { figure, state, entry } = this;
    if (!figure || !state || !entry) return;
    const weights = await api.weights(entry.id);
    if (this.skin) this.skin.setWeights(weights, figure.fixedBone);
    else this.skin = figure.addSkin(weights);
    if (!state.history.some(({ id }) => id === this.beside)) await this.compare(null);
    this.stage.captions[0].textContent = entry.label;
    this.look.showEntries(state.history, this.beside);
    fill(
      this.history,
      ...state.history.map((item, index) =>
        element(
          'li',
          { class: index === state.position ? 'now' : index > state.position ? 'undone' : '' },
          item.label,
          ...(item.method ? [element('span', { class: 'hint' }, ` ${item.seconds.toFixed(2)} s`)] : []),
        ),
      ),
    );
    this.undoButton.disabled = state.position === 0;
    this.redoButton.disabled = state.position === state.history.length - 1;
    document.body.dataset.entry = String(entry.id);
    this.repaint();
    this.keepResult(entry.id);
  }

  private async compare(entry: number | null): Promise<void> {
    const { figure, skin } = this;
    if (!figure || !skin) return;
    if (this.otherSkin) figure.removeSkin(this.otherSkin);
    this.otherSkin = entry === null ? null : figure.addSkin(await api.weights(entry));
    this.beside = entry;
    const label = this.state?.history.find(({ id }) => id === entry)?.label ?? '';
    this.stage.captions[1].textContent = label;
    this.look.showEntries(this.state?.history ?? [], entry);
    this.repaint();
  }

  private select(joint: number): void {
    this.joint = joint;
    this.jointList.value = String(joint);
    if (this.look.look === 'materials') this.look.look = 'weight';
    else this.repaint();
  }

  private repaint(): void {
    const { figure, skin } = this;
    if (!figure || !skin) return;
    for (const shown of [skin, this.otherSkin]) shown?.show(this.look.look, this.joint, figure.colours);
    this.stage.setSkins(skin, this.otherSkin);
    this.stage.showSkeleton(this.look.skeleton);
    this.stage.select(this.joint, this.look.gizmo);
  }

  // One job at a time. While one runs, only the newest wish is kept: a slider never lags behind.
  private async bind(request: api.BindRequest): Promise<void> {
    if (this.job !== 0) {
      this.waiting = request;
      return;
    }
    await this.guard(async () => {
      if (await this.run(api.bind(request))) {
        this.state = await api.state();
        await this.showEntry();
        if (!request.gesture) for (const { message } of this.entry?.warnings ?? []) this.messages.note(message, 'warning');
      }
    });
    const next = this.waiting;
    this.waiting = null;
    if (next) await this.bind(next);
  }

  private async open(file: File): Promise<void> {
    if (this.job !== 0) return this.messages.note('something is being computed: wait, or cancel it', 'warning');
    await this.guard(async () => {
      if (await this.run(api.open(file))) await this.reload();
    });
  }

  private async run(started: Promise<number>): Promise<boolean> {
    this.job = -1; // busy, and not yet known under which number
    try {
      this.job = await started;
      return await api.finished(this.job, (job) => this.bindPanel.showProgress(job));
    } finally {
      this.job = 0;
      this.bindPanel.showProgress(null);
    }
  }

  private async cancel(): Promise<void> {
    this.waiting = null;
    if (this.job > 0) await this.guard(async () => void (await api.cancel(this.job)));
  }

  private async step(move: () => Promise<api.State>): Promise<void> {
    if (this.job !== 0) return;
    await this.guard(async () => {
      this.state = await move();
      await this.showEntry();
      if (this.entry?.method) this.bindPanel.adopt(this.entry.method, this.entry.options, this.entry.max_influences);
    });
  }

  // A copy of the result stays in the page, so that nothing is lost when the server stops.
  private keepResult(entry: number): void {
    clearTimeout(this.saveTimer);
    if (this.saved?.entry === entry || !this.entry?.method) return;
    this.saveTimer = window.setTimeout(() => {
      void this.guard(async () => {
        const blob = await api.resultGlb();
        if (this.entry?.id !== entry) return;
        this.saved = { entry, blob };
        document.body.dataset.kept = String(entry);
        this.messages.onDownload = () => this.saved && this.download(this.saved.blob);
      });
    }, 1000);
  }

  private async save(): Promise<void> {
    if (this.saved && this.saved.entry === this.entry?.id) this.download(this.saved.blob);
    else this.download(await api.resultGlb());
  }

  private download(blob: Blob): void {
    const stem = (this.state?.file ?? 'character').replace(/\.[^.]*$/, '');
    const name = `${stem}_${this.entry?.method || 'copy'}.glb`;
    const address = URL.createObjectURL(blob);
    element('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
    this.messages.note(`saved ${name}`);
  }

  private async listenForServer(): Promise<void> {
    try {
      await api.heartbeat();
      this.messages.serverGone(false);
    } catch (error) {
      this.messages.fail(error);
    }
  }
}

void api
  .methods()
  .then((methods) => new Page(methods).start())
  .catch((error: unknown) => {
    document.body.textContent = `The page could not start: ${error instanceof Error ? error.message : String(error)}`;
  });
