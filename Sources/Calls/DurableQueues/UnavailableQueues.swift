#if !SQLite
// What the compiler says without the trait, instead of "cannot find in scope".

/// Needs the trait SQLite.
@available(
  *, unavailable, message: "add traits: [\"SQLite\"] to the dependency on Switchyard in Package.swift"
)
public struct ActivityLog: Sendable {
  /// Needs the trait SQLite.
  public init(path: String, uploading upload: Any, over dispatcher: Any, account: () -> String = { "" }) {}
}

/// Needs the trait SQLite.
@available(
  *, unavailable, message: "add traits: [\"SQLite\"] to the dependency on Switchyard in Package.swift"
)
public struct ActivityUpload: Sendable {
  /// Needs the trait SQLite.
  public init(_ request: Any) {}
}

/// Needs the trait SQLite.
@available(
  *, unavailable, message: "add traits: [\"SQLite\"] to the dependency on Switchyard in Package.swift"
)
public struct MutationQueue: Sendable {
  /// Needs the trait SQLite.
  public init(path: String, over dispatcher: Any, account: () -> String) {}
}
#endif
