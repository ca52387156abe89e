/// The modules' checked services, targets, listeners and needs; immutable.
struct ModuleRegistry: Sendable {
  /// One module.
  struct Entry: Sendable {
    let name: String
    let services: [ServiceEntry]
    let targets: [TargetEntry]
    let listeners: [LifecycleListener]
    let declaringTime: Duration
    let needs: [ModuleDescription.Need]

    init(name: String, table: RouteTable, declaringTime: Duration, needs: [ModuleDescription.Need]) {
      self.name = name
      services = table.services
      targets = table.targets
      listeners = table.listeners
      self.declaringTime = declaringTime
      self.needs = needs
    }
  }

  /// The modules in launch order.
  let modules: [Entry]
  let services: [ObjectIdentifier: ServiceEntry]
  let targets: [TargetEntry]

  init(modules: [Entry], services: [ObjectIdentifier: ServiceEntry]) {
    self.modules = modules
    self.services = services
    targets = modules.flatMap(\.targets)
  }
}
