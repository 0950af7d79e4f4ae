import { Server } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';

/** For the administrators of the instance. */
export const instanceScreens: readonly Screen[] = [
  {
    path: '/instance',
    label: 'Instance',
    group: 'instance',
    icon: Server,
    load: () => import('./instance.tsx'),
  },
];
