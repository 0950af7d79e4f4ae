import { CircleUser } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';

/** What is of the user alone. */
export const accountScreens: readonly Screen[] = [
  {
    path: '/account',
    label: 'Account',
    group: 'account',
    icon: CircleUser,
    load: () => import('./account.tsx'),
  },
];
