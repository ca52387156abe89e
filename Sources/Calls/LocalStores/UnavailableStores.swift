#if !SQLite
// What the compiler says without the trait, instead of "cannot find in scope".

/// Needs the trait SQLite.
@available(
  *, unavailable, message: "add traits: [\"SQLite\"] to the dependency on Switchyard in Package.swift"
)
public struct AccountStores: Sendable {
  /// Needs the trait SQLite.
  public init(folder: String, schema: Any) {}
}

/// Needs the trait SQLite.
@available(
  *, unavailable, message: "add traits: [\"SQLite\"] to the dependency on Switchyard in Package.swift"
)
public struct LocalKey<Value>: Sendable {
  /// Needs the trait SQLite.
  public init(_ name: String, default defaultValue: Value) {}
}

/// Needs the trait SQLite.
@available(
  *, unavailable, message: "add traits: [\"SQLite\"] to the dependency on Switchyard in Package.swift"
)
public struct LocalCollection<Item>: Sendable {
  /// Needs the trait SQLite.
  public init(_ name: String) {}
}
#endif
