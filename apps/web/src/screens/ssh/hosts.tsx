import { KindList } from '../../ui/kind.tsx';
import { hosts } from './host-kind.tsx';

export const Screen = () => <KindList of={hosts} />;
