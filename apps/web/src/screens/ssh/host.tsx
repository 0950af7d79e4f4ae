import { KindDetail } from '../../ui/kind.tsx';
import { hosts } from './host-kind.tsx';

export const Screen = () => <KindDetail of={hosts} />;
