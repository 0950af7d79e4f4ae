import { CircleUser } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';
import { texts } from './screens.texts.ts';

/** What is of the user alone. */
export const accountScreens: readonly Screen[] = [
  {
    path: '/account',
    label: texts.account,
    group: 'account',
    icon: CircleUser,
    load: () => import('./account.tsx'),
  },
];
