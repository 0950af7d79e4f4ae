import type { ReactNode } from 'react';
import { rich } from '../../ui/rich.ts';

export const texts = {
  openLinkOfInvitation:
    'Open the link of the invitation again: it is not kept when the page is reloaded. If it is used already, ask for another one.',
  toConsole: 'To the console',
  createAccount: 'Create the account',
  youAreInvitedAs: (email: ReactNode) =>
    rich`You are invited as ${email}. The link works once: go on when you have a few minutes, and stay on this page.`,
  continue: 'Continue',
  thereIsAccountWithThisAddress: 'There is an account with this address: sign in to accept.',
  youAreSignedInAs: (here: string) => `You are signed in as ${here}. That session ends.`,
  signInAndAccept: 'Sign in and accept',
};
