import { KeyRound, Mail, SquareTerminal, UserPlus } from 'lucide-react';
import type { Screen } from './screen.ts';
import { texts } from './screens.texts.ts';

/** Where people come from outside: from messages, and from the command line. */
export const entryScreens: readonly Screen[] = [
  {
    path: '/signupinvite',
    label: texts.invitation,
    group: 'account',
    icon: Mail,
    load: () => import('../screens/invitation/invitation.tsx'),
    isDetail: true,
    isPublic: true,
    isAlone: true,
  },
  {
    path: '/signup',
    label: texts.signUp,
    group: 'account',
    icon: UserPlus,
    load: () => import('../screens/sign-up/sign-up.tsx'),
    isDetail: true,
    isPublic: true,
    isAlone: true,
  },
  {
    path: '/password-reset',
    label: texts.forgottenPassword,
    group: 'account',
    icon: KeyRound,
    load: () => import('../screens/recovery/recovery.tsx'),
    isDetail: true,
    isPublic: true,
    isAlone: true,
  },
  {
    path: '/login',
    label: texts.loginOfCommandLine,
    group: 'account',
    icon: SquareTerminal,
    load: () => import('../screens/command-line/command-line.tsx'),
    isDetail: true,
    isAlone: true,
  },
];
