export { getActorAccess, getOwnAccess } from './actor.ts';
export { actorsOf, factsOfTemplates, visibilityOf, type Holder, type Visibility } from './holders.ts';
export { RuleSets } from './rule-sets.ts';
export * from './insight.ts';
export { whoCanAccess } from './who.ts';
