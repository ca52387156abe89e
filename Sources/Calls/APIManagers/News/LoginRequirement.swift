import Interception

/// Whether the user must log in, as broadcast to the layers of an app.
///
/// The layers that find out call ``require()``; the app's root shows the login page once, however many
/// requests failed, and then calls ``fulfill()``.
///
/// ```swift
/// let login = LoginRequirement()
/// var client = APIClient(dispatcher: ScriptedDispatcher())
/// client.hooks.append(login.hooks)  // responses that their API's validator refuses with .needsLogin
/// Task {
///   for await isRequired in login.changes where isRequired {
///     print("show the login page")
///     login.fulfill()
///   }
/// }
/// ```
///
/// With `BearerAuthorization` of `RequestAuthorization`, call ``require()`` for each of its events
/// `needsLogin`. Loads by an ``APIClient`` itself run no hooks: call it where their errors are caught, for
/// those of the kind ``APIError/Kind/needsLogin``.
public final class LoginRequirement: Sendable {
  private let broadcast = Broadcast(startingWith: false)

  /// Creates a requirement that is fulfilled.
  public init() {}

  /// Whether the user must log in.
  public var isRequired: Bool { broadcast.latest ?? false }

  /// Whether the user must log in: now, and after every change, until the requirement is released.
  ///
  /// Each access returns a separate stream. A slow reader receives the latest value only.
  public var changes: AsyncStream<Bool> { broadcast.values() }

  /// Notifies the readers that the user must log in, unless they know it already.
  public func require() { broadcast.update(true) }

  /// Notifies the readers that the user has logged in or declined to.
  public func fulfill() { broadcast.update(false) }
}

extension LoginRequirement {
  /// Hooks that call ``require()`` for every load of a manager that fails with ``APIError/Kind/needsLogin``.
  @MainActor public var hooks: any APIHooks { LoginHooks(requirement: self) }

  private struct LoginHooks: APIHooks {
    let requirement: LoginRequirement

    nonisolated var name: String { "LoginRequirement" }

    func didReceive(_ result: Result<APIResponse, APIError>, of manager: any APIManaging) {
      if case .failure(let error) = result, error.kind == .needsLogin { requirement.require() }
    }
  }
}
