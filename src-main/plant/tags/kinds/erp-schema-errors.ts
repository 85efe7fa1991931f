import type { ErrorObject } from 'ajv';
import { abbreviate } from '#domain/text/abbreviate';

/** Maximum number of errors in a message: the branches of an anyOf are several. */
const SHOWN = 3;

/**
 * Why a schema rejects a value, with the member: `records[3].quantity must be integer`.
 *
 * @param whole the name of the whole value
 */
export function describeSchemaErrors(errors: readonly ErrorObject[] | null | undefined, whole: string): string {
  const found = (errors ?? []).map((error) => describe(error, whole));
  const [first = `${whole} does not fit`, ...others] = [...new Set(found)].slice(0, SHOWN);
  return [first, ...others].join('; or ');
}

function describe({ instancePath, keyword, params, message }: ErrorObject, whole: string): string {
  const steps = stepsOf(instancePath);
  const given: Record<string, unknown> = params;
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const extra = String(given['additionalProperty'] ?? given['unevaluatedProperty']);
    return `${nameOf([...steps, extra], whole)} is not a member of the schema`;
  }
  if (keyword === 'required') return `${nameOf([...steps, String(given['missingProperty'])], whole)} is required`;
  const allowed = keyword === 'enum' ? given['allowedValues'] : keyword === 'const' ? [given['allowedValue']] : null;
  const values = Array.isArray(allowed)
    ? `: ${abbreviate(allowed.map((one) => JSON.stringify(one)).join(', '), 120)}`
    : '';
  return `${nameOf(steps, whole)} ${message ?? 'does not fit'}${values}`;
}

/** The steps of a JSON pointer; whole numbers are indexes of an array. */
export function stepsOf(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^(0|[1-9]\d{0,8})$/.test(step) ? Number(step) : step));
}

/** `records[3].quantity`; a name that is not an identifier is in brackets and quotes. */
function nameOf(steps: readonly (string | number)[], whole: string): string {
  if (steps.length === 0) return whole;
  const text = steps
    .map((step, at) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(step)) return `[${JSON.stringify(abbreviate(step, 60))}]`;
      return at === 0 ? step : `.${step}`;
    })
    .join('');
  return abbreviate(text, 200);
}
