import { text, toggle, type Flags } from '../../table/command.ts';

export const switchFlags = { to: text('name of the profile, in place of a choice') } as const satisfies Flags;
export const tokenFlags = { plain: toggle(false, 'print only the token') } as const satisfies Flags;
