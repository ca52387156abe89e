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
