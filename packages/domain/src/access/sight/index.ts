export { getActorAccess, getOwnAccess } from './actor.ts';
export { actorsOf, hasTemplates, sightOf, type Holder, type Sight } from './holders.ts';
export { Pace } from './pace.ts';
export { Rulebooks } from './rulebooks.ts';
export * from './sight.ts';
export { whoCanAccess } from './who.ts';
