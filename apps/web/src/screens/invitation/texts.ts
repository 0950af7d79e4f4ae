import type { ReactNode } from 'react';
import { rich } from '../../ui/rich.ts';

export const texts = {
  openLinkOfInvitation:
    'Open the link of the invitation again: it is not kept when the page is reloaded. If it is used already, ask for another one.',
  toConsole: 'To the console',
  createAccount: 'Create the account',
  youAreInvitedAs: (email: ReactNode) => rich`You are invited as ${email}. The link works until you have accepted.`,
  accept: 'Accept the invitation',
  haveAccount: 'I have an account',
  noAccount: 'I have no account yet',
  signInToAccept: 'Sign in with the account of this address to accept.',
  youAreSignedInAs: (here: string) => `You are signed in as ${here}. That session ends.`,
  signInAndAccept: 'Sign in and accept',
};
