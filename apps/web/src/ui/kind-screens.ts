import type { ComponentType } from 'react';
import type { Screen } from '../app/screen.ts';

interface KindScreens extends Pick<Screen, 'path' | 'label' | 'group' | 'icon'> {
  readonly load: () => Promise<{ readonly Screen: ComponentType; readonly One: ComponentType }>;
}

/** The list of a kind of things, reached by tabs and the palette, and the page of one of them. */
export const kindScreens = ({ load, path, ...shown }: KindScreens): readonly [list: Screen, one: Screen] => [
  { ...shown, path, load, isTab: true },
  { ...shown, path: `${path}/$id`, isDetail: true, load: async () => ({ Screen: (await load()).One }) },
];
