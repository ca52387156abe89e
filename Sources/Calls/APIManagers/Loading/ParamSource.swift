/// The source of a manager's params: an owner, held weakly, and a closure that reads the params from it.
///
/// ```swift
/// houses.paramSource = ParamSource(screen, \.search)
/// ```
///
/// One owner can be the source of several managers, each with params of its own type.
public struct ParamSource<Params: Sendable> {
  // Neither sendable nor isolated, because a key path of a main-actor class is neither. The manager that
  // reads the source is on the main actor, as is the code that creates it.
  let read: () -> Params?

  /// Creates a source that reads the params from `owner` at each load.
  @MainActor public init<Owner: AnyObject>(_ owner: Owner, _ params: @escaping (Owner) -> Params) {
    read = { [weak owner] in owner.map(params) }
  }

  /// Creates a source of constant params.
  public init(_ params: Params) { read = { params } }
}
