/// The identity of one transfer; each attempt of a request has its own.
struct TransferID: Sendable, Hashable {
  let number: UInt64
}
