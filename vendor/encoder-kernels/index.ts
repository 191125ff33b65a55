/** The inner loops of the sentence encoder, in AssemblyScript: what functions/_shared/text/crisis spends its time on. */
export { attend } from './attention'
export { addAndNormalise, dense, gelu, mean } from './floats'
export {
  addBytes,
  addFloats,
  addNibbles,
  arrangeRows,
  bytesFromNibbles,
  multiply,
  quantise,
} from './matrices'
