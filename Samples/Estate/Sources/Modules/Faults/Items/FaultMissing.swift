import FaultsRoutes

/// What should have failed did not.
struct FaultMissing: Error, CustomStringConvertible {
  let fault: Fault
  let hint: String

  var description: String { "«\(fault.rawValue)» should have failed and did not; \(hint)" }
}
