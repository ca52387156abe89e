import HTTPTypes
import Interception

/// Returns whether a server may have performed a mutation that failed with an error.
func mayHavePerformed(_ error: any Error) -> Bool {
  switch error {
  case let error as APIError:
    // A hook can also withhold the result of a request that was performed.
    if case .vetoed = error.kind { return true }
    if let response = error.response { return !(400..<500).contains(response.status.code) }
    if let cause = error.cause { return cause.requestMayHaveBeenProcessed }
    // A request that was cancelled while in flight has neither; one that was refused has no ID.
    return error.request != nil
  case let error as NetworkError: return error.requestMayHaveBeenProcessed
  case is ParamsError: return false
  default: return true
  }
}
