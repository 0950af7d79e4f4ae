import { useAddress } from '../../app/address.ts';
import { RolePage } from './role.tsx';
import { useOrganizationScope } from './scope.ts';

/** One role of the organization; without `?slug=`, a new one. */
export function Screen() {
  const [{ slug }] = useAddress();
  return <RolePage key={slug} slug={slug} scope={useOrganizationScope(slug ?? '')} />;
}
