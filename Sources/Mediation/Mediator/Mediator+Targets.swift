extension Mediator {
  /// The names of the targets that exist, sorted.
  public var loadedTargets: [String] {
    registry.modules.targets.filter { $0.isLoaded() }.map(\.name).sorted()
  }

  /// Releases a target, so that its next use creates it again.
  ///
  /// Calls that already hold it continue with it. May be called from any thread. A target that is being
  /// created is passed to its waiters and not kept.
  ///
  /// - Parameter name: The module's name and the target's, joined by a dot; for a lazy route, the module's
  ///   name and the route's type.
  /// - Returns: Whether there was a target to release.
  /// - Throws: `ModuleError.noTarget` with the known names.
  @discardableResult
  public func releaseTarget(_ name: String) throws(ModuleError) -> Bool {
    guard let target = registry.modules.targets.first(where: { $0.name == name }) else {
      throw .noTarget(name, known: registry.modules.targets.map(\.name).sorted())
    }
    return release(target)
  }

  /// Releases all targets.
  ///
  /// - Returns: The names of the released targets, sorted.
  @discardableResult
  public func releaseAllTargets() -> [String] {
    registry.modules.targets.filter(release).map(\.name).sorted()
  }

  func release(_ target: TargetEntry) -> Bool {
    let held = target.release()
    if held { observe(.released(target.name)) }
    return held
  }
}
