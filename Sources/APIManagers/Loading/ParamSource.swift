/// Where a manager takes its params from when it loads: an owner, held weakly, and what to read of it.
///
/// ```swift
/// houses.paramSource = ParamSource(self, \.search)
/// ```
///
/// One owner can be the source of several managers, each with params of its own type.
public struct ParamSource<Params: Sendable> {
  // Neither sendable nor isolated by type: a key path of a main-actor class is neither, and the manager that
  // reads the source is on the main actor as its maker is.
  let read: () -> Params?

  /// Makes a source that asks `owner` at each load.
  @MainActor public init<Owner: AnyObject>(_ owner: Owner, _ params: @escaping (Owner) -> Params) {
    read = { [weak owner] in owner.map(params) }
  }

  /// Makes a source of params that never change.
  public init(_ params: Params) { read = { params } }
}
