export { renderTemplate, type TemplateRules, templateErrors } from './template.ts';
