import Switchyard

/// An error as the app prints it: a label from a bounded set, and a sentence with the remedy.
struct ShownError {
  let label: String
  let sentence: String

  init(_ error: any Error) {
    switch error {
    case RouteError.failed(let cause, _):
      self = ShownError(cause)
    case let error as RouteError:
      label = Self.label(error)
      sentence = "\(error)"
    case let failure as APIError:
      label = failure.label
      sentence = "\(failure)"
    case let error as NetworkError:
      label = error.label
      sentence = error.reason
    default:
      label = "\(type(of: error))"
      sentence = "\(error)"
    }
  }

  private static func label(_ error: RouteError) -> String {
    switch error {
    case .malformedURL: "malformed_url"
    case .notFound: "unknown_route"
    case .forbidden: "forbidden"
    case .parameter: "wrong_parameter"
    case .rejected: "refused_by_guard"
    case .overdue: "guard_overdue"
    case .linkDropped: "link_dropped"
    case .linkSuperseded: "link_superseded"
    case .redirectLoop: "redirect_loop"
    case .dismissed: "dismissed"
    case .cancelled: "cancelled"
    case .resultMismatch: "result_mismatch"
    case .failed: "failed"
    }
  }
}
