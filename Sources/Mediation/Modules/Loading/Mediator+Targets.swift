extension Mediator {
  /// The names of the targets that are kept now, sorted.
  public var loadedTargets: [String] {
    registry.modules.targets.filter { $0.isLoaded() }.map(\.name).sorted()
  }

  /// Lets go of a target, which its next use makes again; calls that have it finish with it.
  ///
  /// Safe from any thread. One that is being made goes to those who wait for it and is not kept.
  ///
  /// - Parameter name: The module's name and the target's, joined by a dot; of a lazy route, the route's
  ///   type.
  /// - Returns: Whether there was something to let go of.
  /// - Throws: `ModuleError.noTarget` with the known names.
  @discardableResult
  public func releaseTarget(_ name: String) throws(ModuleError) -> Bool {
    guard let target = registry.modules.targets.first(where: { $0.name == name }) else {
      throw .noTarget(name, known: registry.modules.targets.map(\.name).sorted())
    }
    return release(target)
  }

  /// Lets go of every target.
  ///
  /// - Returns: The names of those that were there, sorted.
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
