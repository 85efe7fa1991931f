/** Tag qualities: the OPC UA status code names that Tagwright uses (OPC UA Part 4 and Part 8). */
export const QUALITIES = [
  'Good',
  'GoodLocalOverride',
  'Uncertain',
  'UncertainInitialValue',
  'UncertainLastUsableValue',
  'UncertainSensorNotAccurate',
  'UncertainEngineeringUnitsExceeded',
  'UncertainSubNormal',
  'Bad',
  'BadConfigurationError',
  'BadNotConnected',
  'BadDeviceFailure',
  'BadSensorFailure',
  'BadCommunicationError',
  'BadOutOfService',
  'BadNodeIdUnknown',
  'BadTypeMismatch',
  'BadTimeout',
  'BadOutOfMemory',
  'BadInternalError',
  'BadNotReadable',
  'BadNotWritable',
  'BadNoData',
  'BadOutOfRange',
] as const;

export type Quality = (typeof QUALITIES)[number];

/** Whether a value of this quality is usable: good and uncertain ones are (`Success`). */
export function isUsable(quality: Quality): boolean {
  return !quality.startsWith('Bad');
}
