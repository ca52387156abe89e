#if SQLite

/// A mutation that the server has refused.
public struct RejectedMutation: Sendable, Hashable, Identifiable {
  /// The mutation.
  public let mutation: Mutation
  /// Why it was refused, such as `status 409`, or the label of a `NetworkError` for one that can't be sent.
  public let reason: String

  /// The mutation's ID.
  public var id: String { mutation.id }
}
#endif
