import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { choose } from '../../ask.ts';
import { failure } from '../../exit.ts';
import { writeWhole } from '../../files.ts';
import { PROJECT_FILES } from '../../project-file.ts';
import { clientFor } from '../../client.ts';
import { authenticate } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import type { initFlags } from './flags.ts';

export const init: Action<typeof initFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const path = join(io.cwd, PROJECT_FILES[0]);
  if (existsSync(path) && !flags.force) throw failure(`${path} exists`, 'Replace it with --force');
  const { domain, options } = await authenticate(invocation);
  const client = clientFor(io, domain, options);
  const { projects } = await client.projects.list.query({ type: 'all' });
  if (!projects.length)
    throw failure('You are a member of no project', `Create one at ${domain}, or ask to be added to one`);
  const project = flags.projectId
    ? projects.find(({ id }) => id === flags.projectId)
    : projects.length === 1
      ? projects[0]
      : await choose(io, 'Project', projects, ({ name, slug }) => `${name} (${slug})`, 'pass --projectId');
  if (!project) throw failure(`You are in no project with the ID ${flags.projectId}`);
  const environment = flags.env ?? project.environments[0]?.slug ?? '';
  const file = {
    workspaceId: project.id,
    defaultEnvironment: environment,
    gitBranchToEnvironmentMapping: null,
    domain,
  };
  // It is committed with the project: not secret.
  writeWhole(path, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o644 });
  if (flags.json) io.write(`${JSON.stringify(file)}\n`);
  io.say('info', `${path} connects this directory to ${project.name}; commit it`);
};
