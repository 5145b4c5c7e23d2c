"""The JSON samples of the documents: their members and forms, with names, keys and addresses of our own."""

from __future__ import annotations

import base64
import json
import uuid

from app import JSON

ARIES = "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/"
DIDCOMM = "https://didcomm.org/"
KEY = "A1SDHnSWiAs42BHeyfYhT3QoBAVK8eGLhcoCUtCAp9hc"
ROUTING_KEY = "3yjY3NMay8CXrJTvomgaShf55i8k1ysZJ9ySzKdspqfj"
DEFINITION = "HXY62bMMt1BMsarhvXm5mx:3:CL:33627:tag1"
SCHEMA = "HXY62bMMt1BMsarhvXm5mx:2:Diploma:1.0"


def fresh(sample: JSON) -> JSON:
    """A message of the sample's form, with an id of its own."""
    return {**sample, "@id": str(uuid.uuid4())}


CONNECTION_INVITATION: JSON = {
    "@type": f"{ARIES}connections/1.0/invitation",
    "@id": "0d4d3e3a-2f0e-4bb7-9ea5-6f3a5a8dd8bf",
    "label": "Acme",
    "profileUrl": "https://acme.example/logo.png",
    "serviceEndpoint": "http://agency.example:80/agency/msg",
    "recipientKeys": [KEY],
    "routingKeys": [KEY, ROUTING_KEY],
}

SERVICE: JSON = {
    "id": "#inline",
    "type": "did-communication",
    "serviceEndpoint": "http://agency.example:80/agency/msg",
    "recipientKeys": [KEY],
    "routingKeys": [KEY, ROUTING_KEY],
}

ATTACHED_QUESTION: JSON = {
    "@type": f"{ARIES}committedanswer/1.0/question",
    "@id": "9b9ae6b3-9f0c-4fb8-9e4e-37a9be9d9c5a",
    "question_text": "Are you there?",
    "valid_responses": [{"text": "Yes", "nonce": "5f1c"}, {"text": "No", "nonce": "8a02"}],
}

# The id of this one is no UUID but a key.
OUT_OF_BAND_INVITATION: JSON = {
    "@type": f"{DIDCOMM}out-of-band/1.0/invitation",
    "@id": KEY,
    "label": "Faber College",
    "goal_code": "issue-vc",
    "goal": "To issue a diploma",
    "handshake_protocols": [f"{DIDCOMM}didexchange/1.0", f"{DIDCOMM}connections/1.0"],
    "request~attach": [{"@id": "request-0", "mime-type": "application/json", "data": {"json": ATTACHED_QUESTION}}],
    "service": [SERVICE],
}

DID_INVITATION: JSON = {**OUT_OF_BAND_INVITATION, "service": ["did:sov:HXY62bMMt1BMsarhvXm5mx"]}
"""The older document's: the service is a public DID."""

PROPRIETARY_INVITATION: JSON = {
    "id": "NzE2MjM",
    "statusCode": "MS-101",
    "connReqId": "6f0f7b0a-3e0d-4b5c-8a8a-5d1f3c7f9b11",
    "senderDetail": {
        "name": "Faber College",
        "agentKeyDlgProof": {"agentDID": "6TvVFExu5ufydUKj1dkHVy", "agentDelegatedKey": "3yjY3NMay8CXrJTvomgaShf55i8k1ysZJ9ySzKdspqfj", "signature": "c2lnbmF0dXJl"},
        "DID": "HXY62bMMt1BMsarhvXm5mx",
        "logoUrl": "https://faber.example/logo.png",
        "verKey": "A1SDHnSWiAs42BHeyfYhT3QoBAVK8eGLhcoCUtCAp9hc",
        "publicDID": "MAdpqQ6asZs88EzUVH78QD",
    },
    "senderAgencyDetail": {"DID": "Qwp8tiFH8w9H3MdTqf4gjB", "verKey": "E3x7D5qjGo1CX14FtekHcbVeg9L4hhJmMJr59iNkaeSh", "endpoint": "agency.example:80/agency/msg"},
    "targetName": "there",
    "statusMsg": "message created",
    "threadId": None,
}

ABBREVIATED_INVITATION: JSON = {
    "id": "6f0f7b0a-3e0d-4b5c-8a8a-5d1f3c7f9b11",
    "s": {
        "d": "HXY62bMMt1BMsarhvXm5mx",
        "dp": {"d": "6TvVFExu5ufydUKj1dkHVy", "k": "3yjY3NMay8CXrJTvomgaShf55i8k1ysZJ9ySzKdspqfj", "s": "c2lnbmF0dXJl"},
        "l": "https://faber.example/logo.png",
        "n": "Faber College",
        "publicDID": "MAdpqQ6asZs88EzUVH78QD",
        "v": "A1SDHnSWiAs42BHeyfYhT3QoBAVK8eGLhcoCUtCAp9hc",
    },
    "sa": {"d": "Qwp8tiFH8w9H3MdTqf4gjB", "e": "agency.example:80/agency/msg", "v": "E3x7D5qjGo1CX14FtekHcbVeg9L4hhJmMJr59iNkaeSh"},
    "sc": "MS-101",
    "sm": "message created",
    "t": "there",
    "threadId": None,
}

COMMITTED_QUESTION: JSON = {
    "@type": f"{ARIES}committedanswer/1.0/question",
    "@id": "1f2cb0c9-2ea1-4a2b-90f5-6a4c4f5fd5d6",
    "question_text": "Hi, Alice",
    "question_detail": "Do you want to pay $100.00?",
    "valid_responses": [
        {"text": "Yes, I do", "nonce": "5a1f0c41413dcffcfaa4fe909cd65e477a5ed77d1550ba7f2c52cac58af84c4b"},
        {"text": "No, I do not", "nonce": "2a2a22bc64ecfda55fa40a2c9227c3592ac1399e63688b58d5f33c64b4326f77"},
    ],
    "@timing": {"expires_time": "2018-12-13T17:29:06+0000"},
}

QUESTION: JSON = {
    "@type": f"{ARIES}questionanswer/1.0/question",
    "@id": "d3f1c0a7-53c5-4f6e-9d5c-3b8a1e3c5f77",
    "question_text": "Hi, Alice",
    "question_detail": "Do you want to pay $100.00?",
    "nonce": "60b2",
    "signature_required": True,
    "valid_responses": [{"text": "Yes"}, {"text": "No"}],
}


def attachment(id: str, content: JSON) -> list[JSON]:
    encoded = base64.b64encode(json.dumps(content).encode()).decode()
    return [{"@id": id, "mime-type": "application/json", "data": {"base64": encoded}}]


# Credentials

INDY_OFFER: JSON = {
    "schema_id": SCHEMA,
    "cred_def_id": DEFINITION,
    "key_correctness_proof": {"c": "1", "xz_cap": "1", "xr_cap": [["degree", "1"], ["master_secret", "1"]]},
    "nonce": "451547265861164114557369",
}

CREDENTIAL_OFFER: JSON = {
    "@type": f"{ARIES}issue-credential/1.0/offer-credential",
    "@id": "37cd67a2-5ec6-4b1e-ae46-4cf21c2fd2be",
    "comment": "Diploma",
    "credential_preview": {
        "@type": f"{ARIES}issue-credential/1.0/credential-preview",
        "attributes": [{"name": "Degree", "value": "Computer Science"}, {"name": "GPA", "value": "4.0"}],
    },
    "offers~attach": attachment("libindy-cred-offer-0", INDY_OFFER),
}

OLDER_CREDENTIAL_OFFER: list[JSON] = [
    {
        "claim_id": "123",
        "claim_name": "Diploma",
        "cred_def_id": DEFINITION,
        "credential_attrs": {"Degree": "Computer Science", "GPA": "4.0"},
        "from_did": "HXY62bMMt1BMsarhvXm5mx",
        "libindy_offer": json.dumps(INDY_OFFER),
        "msg_ref_id": "6b1d7a2e-7c6c-4f5b-8dd2-9dd0e5b3c9f1",
        "msg_type": "CRED_OFFER",
        "schema_seq_no": 0,
        "thread_id": "b1e0c1f8-5a3a-4f51-9d6e-1c3d7a5f9e02",
        "to_did": "6TvVFExu5ufydUKj1dkHVy",
        "version": "0.1",
    }
]

CREDENTIAL: JSON = {
    "@type": f"{ARIES}issue-credential/1.0/issue-credential",
    "@id": "ad1ddc1a-5a0f-4a2e-8e9b-6f25a3b1f1a1",
    "~thread": {"thid": CREDENTIAL_OFFER["@id"]},
    "credentials~attach": attachment("libindy-cred-0", {"schema_id": SCHEMA, "cred_def_id": DEFINITION}),
}

# Proofs

PROOF_DATA: JSON = {
    "nonce": "220867029780621153091790",
    "name": "Basic Info",
    "version": "0.1",
    "requested_attributes": {"attribute_1": {"name": "Number"}, "attribute_2": {"name": "First Name"}},
    "requested_predicates": {"predicate_1": {"name": "Age", "p_type": ">=", "p_value": 20}},
    "non_revoked": None,
}

OLDER_PROOF_REQUEST: JSON = {
    "@type": {"name": "PROOF_REQUEST", "version": "1.0"},
    "@topic": {"mid": 0, "tid": 0},
    "proof_request_data": PROOF_DATA,
    "msg_ref_id": None,
    "from_timestamp": None,
    "to_timestamp": None,
    "thread_id": "0a6f6a0e-6f6e-4c34-93f5-8f1d7f0c9f10",
}


def proof_request(data: JSON) -> JSON:
    """The message that asks for a proof, with the request attached."""
    return {
        "@type": f"{ARIES}present-proof/1.0/request-presentation",
        "@id": str(uuid.uuid4()),
        "comment": "Basic Info",
        "request_presentations~attach": attachment("libindy-request-presentation-0", data),
    }


PROOF_REQUEST = proof_request(PROOF_DATA)

CREDENTIAL_INFO: JSON = {
    "attrs": {"Number": "12345", "First Name": "Alice", "Last Name": "Andersen", "Age": "22"},
    "cred_def_id": DEFINITION,
    "cred_rev_id": None,
    "referent": "79f68e11-0aaf-4891-8277-1f90f5b05670",
    "rev_reg_id": None,
    "schema_id": SCHEMA,
}

SELECTED: JSON = {
    "attrs": {
        name: {"credential": {"cred_info": CREDENTIAL_INFO, "interval": None}}
        for name in ("attribute_1", "attribute_2", "predicate_1")
    }
}
