package import Interception

/// What an intervention did to a call, for the records of it.
package struct CallAlteration: Sendable, Hashable, CustomStringConvertible {
  /// The name of the rule.
  package let rule: String
  /// What happened: the end of a sentence that begins with the call.
  package let effect: String

  /// Creates the note of an alteration.
  package init(rule: String, effect: String) { (self.rule, self.effect) = (rule, effect) }

  /// The rule and the effect, such as "No homes": answered with 200.
  package var description: String { "\"\(rule)\": \(effect)" }
}

/// A recorder that marks a call as altered.
package protocol AlterationRecorder: CallRecorder {
  /// Marks the call; `request` is the one that was altered.
  func note(_ alteration: CallAlteration, of request: Request)
}

extension CallTracker: AlterationRecorder {
  package func note(_ alteration: CallAlteration, of request: Request) {
    keep(alteration)
    log.log(alteration, of: request)
  }
}
