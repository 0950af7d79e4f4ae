import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../../..');

/** A project outside of this workspace with some of its packages, packed, with only their dependencies. */
export class PackedProject {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async of(...names: readonly string[]): Promise<PackedProject> {
    const project = new PackedProject(await realpath(await mkdtemp(join(tmpdir(), 'coffer-packed-'))));
    for (const name of names) await project.#install(name);
    await project.#link(root, '@types/node');
    await writeFile(join(project.path, 'package.json'), '{ "type": "module" }');
    return project;
  }

  tarballOf(name: string): string {
    return join(this.path, `coffer-${name}-0.1.0.tgz`);
  }

  folderOf(name: string): string {
    return join(this.path, 'node_modules/@coffer', name);
  }

  /**
   * Runs a program of the workspace in the project and returns its output.
   *
   * @throws its output if it fails.
   */
  async run(
    command: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    cwd: string = this.path,
  ): Promise<string> {
    const PATH = join(root, 'node_modules/.bin') + delimiter + process.env['PATH'];
    const ran = promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env, PATH } });
    const { stdout } = await ran.catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${command} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
    });
    return stdout;
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }

  /** Packs a package and unpacks it, with its dependencies beside it. */
  async #install(name: string): Promise<void> {
    const home = join(root, 'packages', name);
    const packed = this.folderOf(name);
    await mkdir(packed, { recursive: true });
    await this.run('pnpm', ['pack', '--pack-destination', this.path], {}, home);
    await this.run('tar', ['xzf', this.tarballOf(name), '-C', packed, '--strip-components', '1']);
    const { dependencies } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const dependency of Object.keys(dependencies).filter((one) => !one.startsWith('@coffer/')))
      await this.#link(home, dependency);
  }

  async #link(home: string, name: string): Promise<void> {
    const to = join(this.path, 'node_modules', name);
    await mkdir(join(to, '..'), { recursive: true });
    await symlink(await realpath(join(home, 'node_modules', name)), to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
