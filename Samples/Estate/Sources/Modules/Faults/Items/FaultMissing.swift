import FaultsRoutes

/// A request that should have failed and did not.
struct FaultMissing: Error, CustomStringConvertible {
  let fault: Fault
  let hint: String

  var description: String { "\"\(fault.rawValue)\" should have failed and did not; \(hint)" }
}
