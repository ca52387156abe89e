/// The identity of one transfer; a request that is sent again has another one.
struct TransferID: Sendable, Hashable {
  let number: UInt64
}
