import { text, toggle, type Flags } from '../../table/command.ts';

export const initFlags = {
  projectId: text('ID of the project, in place of a choice', { placeholder: 'id' }),
  env: text('slug of the default environment', { short: 'e' }),
  token: text('access token', { secret: true }),
  force: toggle(false, 'replace a project file that exists', { byCaller: true }),
} as const satisfies Flags;
