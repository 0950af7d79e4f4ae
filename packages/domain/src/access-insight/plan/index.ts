export { Plan, PlannedChange } from './plan.ts';
export { planChange } from './plan.service.ts';
